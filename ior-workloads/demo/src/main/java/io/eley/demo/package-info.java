/**
 * The experiments: the same input through each system beside the same HPC load, measured from the
 * outside. Starts processes and ends exactly those.
 */
@NullMarked
package io.eley.demo;

import org.jspecify.annotations.NullMarked;
