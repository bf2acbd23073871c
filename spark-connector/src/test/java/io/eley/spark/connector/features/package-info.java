/** Ways in which Spark runs tasks, for tests of whole Sparks. */
@NullMarked
package io.eley.spark.connector.features;

import org.jspecify.annotations.NullMarked;
