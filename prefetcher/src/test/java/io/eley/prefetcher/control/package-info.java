/** Tests of operators and permits. */
@NullMarked
package io.eley.prefetcher.control;

import org.jspecify.annotations.NullMarked;
