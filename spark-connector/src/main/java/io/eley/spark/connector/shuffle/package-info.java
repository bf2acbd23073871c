/**
 * Intermediate data: the outputs of map tasks, which Spark's own writers write and Spark's own
 * shuffle service on the buffer's nodes hands out. Begin with {@code EleyShuffleManager}.
 */
@NullMarked
package io.eley.spark.connector.shuffle;

import org.jspecify.annotations.NullMarked;
