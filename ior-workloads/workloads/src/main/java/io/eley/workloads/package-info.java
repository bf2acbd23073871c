/**
 * HiBench-style Spark workloads, the text they read, and real Spark clusters made of processes on
 * this machine. The applications ({@code WordCount}, {@code Sort}, {@code Scan}) run inside Spark;
 * everything else runs outside of it and loads no class of Spark.
 */
@NullMarked
package io.eley.workloads;

import org.jspecify.annotations.NullMarked;
