/**
 * Operators and permits: what the nodes may read from the origin while HPC applications do I/O.
 * Pure: time is handed in.
 */
@NullMarked
package io.eley.prefetcher.control;

import org.jspecify.annotations.NullMarked;
