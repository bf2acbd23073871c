package io.eley.scheduler.hooks.counters;

/**
 * One reading of one server's cumulative bytes.
 *
 * @param server which
 * @param ageMillis how long before the reading arrived it was taken; 0 for now
 * @param bytes read and written since the server's start, or since the counter wrapped
 */
public record CounterPoint(String server, long ageMillis, long bytes) {}
