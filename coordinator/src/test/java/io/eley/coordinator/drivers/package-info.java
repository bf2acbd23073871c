/** Tests of what is known of applications. */
@NullMarked
package io.eley.coordinator.drivers;

import org.jspecify.annotations.NullMarked;
