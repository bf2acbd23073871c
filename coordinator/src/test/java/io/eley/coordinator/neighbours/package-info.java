/** Deployments that tell each other what they move. */
@NullMarked
package io.eley.coordinator.neighbours;

import org.jspecify.annotations.NullMarked;
