package io.eley.report;

/**
 * One phase as a deployment's ledger has it.
 *
 * @param application as far as its source knows
 * @param source names of the sources that saw it
 * @param startSeconds since the run's zero
 * @param seconds how long
 * @param ending how it ended
 */
public record LedgerPhase(
    String application, String source, double startSeconds, double seconds, String ending) {}
