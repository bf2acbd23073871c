package io.eley.report;

import org.jspecify.annotations.Nullable;

/**
 * One expectation and what became of it.
 *
 * @param id short and stable, for scripts
 * @param workload it was judged on
 * @param expectation what was expected, as a sentence
 * @param measured the number that decides; null when it could not be measured
 * @param bound the number it is held against
 * @param unit of both
 * @param met false also when it could not be measured
 * @param explanation what was measured, as a sentence
 */
public record Verdict(
    String id,
    String workload,
    String expectation,
    @Nullable Double measured,
    double bound,
    String unit,
    boolean met,
    String explanation) {}
