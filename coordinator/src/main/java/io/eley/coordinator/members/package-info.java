/** The nodes of a deployment, and their messages. */
@NullMarked
package io.eley.coordinator.members;

import org.jspecify.annotations.NullMarked;
