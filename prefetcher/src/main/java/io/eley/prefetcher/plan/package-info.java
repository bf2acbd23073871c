/**
 * Waves and windows: which blocks belong into whose RAM now. Pure: no clock, no threads, no I/O.
 */
@NullMarked
package io.eley.prefetcher.plan;

import org.jspecify.annotations.NullMarked;
