/** The Spark applications, and what their drivers say. */
@NullMarked
package io.eley.coordinator.drivers;

import org.jspecify.annotations.NullMarked;
