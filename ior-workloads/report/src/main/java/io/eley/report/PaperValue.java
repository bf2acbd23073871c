package io.eley.report;

import org.jspecify.annotations.Nullable;

/**
 * A value of the paper's beside ours.
 *
 * @param workload it was measured on
 * @param what in words
 * @param paper its value, as the paper has it
 * @param ours median of this series, in the same unit; null when it was not measured
 * @param unit of both
 */
public record PaperValue(
    String workload, String what, String paper, @Nullable Double ours, String unit) {}
