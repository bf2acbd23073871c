/**
 * A cluster on a virtual clock. What decides is the production code: {@code WavePlanner}, {@code
 * PermitController} with its operators, {@code AnnouncedPhases}, and each node's {@code
 * PermitGate}. What is simulated is what they decide about: nodes, network, origin, Spark tasks and
 * HPC applications. One thread, no I/O, no real time; the same seed gives the same run.
 */
@NullMarked
package io.eley.simulation;

import org.jspecify.annotations.NullMarked;
