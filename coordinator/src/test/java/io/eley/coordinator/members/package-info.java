/** Tests of what is known of a deployment's nodes. */
@NullMarked
package io.eley.coordinator.members;

import org.jspecify.annotations.NullMarked;
