package io.eley.experiments;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a run is about and where its raw data go.
 *
 * @param trial the kind of run
 * @param kept a directory that exists
 * @param traffic of this run
 * @param job that IOR's phases are steps of; null for none
 * @param loss of a node, where one is to be lost
 */
record RunContext(
    Trial trial, Path kept, Traffic traffic, @Nullable SlurmAllocation job, NodeLoss loss) {}
