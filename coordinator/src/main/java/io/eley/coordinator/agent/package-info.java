/** The one thread that owns a coordinator's state. */
@NullMarked
package io.eley.coordinator.agent;

import org.jspecify.annotations.NullMarked;
