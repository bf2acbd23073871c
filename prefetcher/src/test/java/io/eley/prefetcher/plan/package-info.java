/** Tests of the planner. */
package io.eley.prefetcher.plan;
