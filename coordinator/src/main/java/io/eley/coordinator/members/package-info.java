/** The nodes of a deployment, and what they say. */
@NullMarked
package io.eley.coordinator.members;

import org.jspecify.annotations.NullMarked;
