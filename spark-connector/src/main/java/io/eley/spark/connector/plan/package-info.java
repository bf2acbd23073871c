/**
 * The face to Spark's driver: which task will read what, told to the coordinator before it happens.
 */
@NullMarked
package io.eley.spark.connector.plan;

import org.jspecify.annotations.NullMarked;
