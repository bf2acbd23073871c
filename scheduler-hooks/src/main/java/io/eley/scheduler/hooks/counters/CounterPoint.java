package io.eley.scheduler.hooks.counters;

/**
 * One cumulative counter at the moment of a look. A server that counts what was read and what was
 * written has two: only of each by itself can be told whether it has wrapped.
 *
 * @param counter which, of which server
 * @param bytes since the server's start, or since the counter wrapped
 */
public record CounterPoint(String counter, long bytes) {}
