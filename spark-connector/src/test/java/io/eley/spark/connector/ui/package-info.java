/** Tests of what Spark's user sees. */
@NullMarked
package io.eley.spark.connector.ui;

import org.jspecify.annotations.NullMarked;
