/** Tests of the live document and of what shows it. */
@NullMarked
package io.eley.coordinator.live;

import org.jspecify.annotations.NullMarked;
