/** Tests of the planner. */
@NullMarked
package io.eley.prefetcher.plan;

import org.jspecify.annotations.NullMarked;
