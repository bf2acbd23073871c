/**
 * What Spark's user sees of Eley: a tab in Spark's own UI, and a sentence at the application's end.
 * The job never depends on it.
 */
@NullMarked
package io.eley.spark.connector.ui;

import org.jspecify.annotations.NullMarked;
