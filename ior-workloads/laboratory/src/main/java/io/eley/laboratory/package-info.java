/**
 * What experiments have in common: the order of a run, the ports behind which a Spark application,
 * an HPC application and a deployment start, a private directory that goes away, and progress for
 * people. Nothing here knows one experiment.
 */
@NullMarked
package io.eley.laboratory;

import org.jspecify.annotations.NullMarked;
