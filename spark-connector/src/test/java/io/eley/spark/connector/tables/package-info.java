/** Queries over many tables, for tests of whole Sparks. */
@NullMarked
package io.eley.spark.connector.tables;

import org.jspecify.annotations.NullMarked;
