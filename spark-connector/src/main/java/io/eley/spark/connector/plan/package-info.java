/**
 * The side of Spark's driver: what each task will read, reported to the coordinator before it
 * happens.
 */
@NullMarked
package io.eley.spark.connector.plan;

import org.jspecify.annotations.NullMarked;
