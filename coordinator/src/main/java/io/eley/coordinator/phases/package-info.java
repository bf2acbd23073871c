/** Announced phases, and the pollers of sources that see phases by themselves. */
@NullMarked
package io.eley.coordinator.phases;

import org.jspecify.annotations.NullMarked;
