/** The Spark applications, and the messages of their drivers. */
@NullMarked
package io.eley.coordinator.drivers;

import org.jspecify.annotations.NullMarked;
