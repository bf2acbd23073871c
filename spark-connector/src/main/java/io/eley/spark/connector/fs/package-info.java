/** The side of Hadoop: a thin {@code bb://} file system over the JDK-only client. */
@NullMarked
package io.eley.spark.connector.fs;

import org.jspecify.annotations.NullMarked;
