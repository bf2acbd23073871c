/**
 * The paper's experiments on a mounted file system: the installed IOR under {@code mpirun}, real
 * Spark, a deployment of Eley for each run. {@code eley experiment}; the demo does the same on an
 * emulated file system.
 */
@NullMarked
package io.eley.experiments;

import org.jspecify.annotations.NullMarked;
