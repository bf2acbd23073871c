/** Real Spark through the buffer. */
@NullMarked
package io.eley.system.spark;

import org.jspecify.annotations.NullMarked;
