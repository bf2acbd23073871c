/** The deployment in a report, and why things are as they are. */
@NullMarked
package io.eley.coordinator.status;

import org.jspecify.annotations.NullMarked;
