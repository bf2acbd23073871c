package io.eley.experiments;

import java.nio.file.Path;

/**
 * What a run is about and where its raw data go.
 *
 * @param trial the kind of run
 * @param kept a directory that exists
 * @param traffic of this run
 */
record RunContext(Trial trial, Path kept, Traffic traffic) {}
