/**
 * What Eley costs: each benchmark measures an operation and, in the same run, the raw system calls
 * that no implementation can beat. {@link io.eley.benchmarks.BenchmarkMain} runs them all.
 */
@NullMarked
package io.eley.benchmarks;

import org.jspecify.annotations.NullMarked;
