package io.eley.scheduler.hooks.counters;

/**
 * One server's cumulative bytes at the moment of a look.
 *
 * @param server which
 * @param bytes read and written since the server's start, or since the counter wrapped
 */
public record CounterPoint(String server, long bytes) {}
