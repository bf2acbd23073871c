/** Other deployments of the same user on the same file system, and what they move. */
@NullMarked
package io.eley.coordinator.neighbours;

import org.jspecify.annotations.NullMarked;
