package io.eley.ior;

/**
 * One task's clock readings of one phase, in nanoseconds of {@link System#nanoTime}, which on Linux
 * is one clock for all processes of a machine (clock_gettime(2), CLOCK_MONOTONIC).
 *
 * @param openStart before opening
 * @param openEnd after it
 * @param transferEnd after the last transfer, and the sync when there is one
 * @param closeEnd after closing
 * @param busy sum over transfers of their durations
 * @param transfers how many
 */
record TaskTimes(
    long openStart, long openEnd, long transferEnd, long closeEnd, long busy, long transfers) {}
