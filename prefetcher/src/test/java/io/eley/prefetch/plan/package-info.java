/** Tests of the planner. */
package io.eley.prefetch.plan;
