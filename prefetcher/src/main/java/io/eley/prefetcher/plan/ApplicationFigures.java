package io.eley.prefetcher.plan;

/**
 * One application's plan in figures.
 *
 * @param waveSize tasks that can run at once
 * @param windowBytes bytes of the blocks of its window, each block once
 * @param windowBytesInRam how many of them are in RAM at the node that owns them
 * @param unfinishedBytes bytes of the splits that have not ended
 * @param plannedSplits splits of its live stages
 * @param endedSplits how many of them have ended
 * @param unreadBytes that were in RAM for tasks that ended without reading them, since its start
 */
public record ApplicationFigures(
    int waveSize,
    long windowBytes,
    long windowBytesInRam,
    long unfinishedBytes,
    int plannedSplits,
    int endedSplits,
    long unreadBytes) {}
