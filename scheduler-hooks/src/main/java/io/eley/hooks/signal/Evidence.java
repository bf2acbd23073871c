package io.eley.hooks.signal;

/**
 * That an HPC application is in a phase.
 *
 * @param application its name
 * @param source name of the source that says so
 * @param since when the phase began, nanoseconds of the coordinator's monotonic clock
 */
public record Evidence(String application, String source, long since) {}
