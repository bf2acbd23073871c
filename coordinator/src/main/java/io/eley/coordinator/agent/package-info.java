/** The one thread that owns a coordinator's state, and those beside it that write to disks. */
@NullMarked
package io.eley.coordinator.agent;

import org.jspecify.annotations.NullMarked;
