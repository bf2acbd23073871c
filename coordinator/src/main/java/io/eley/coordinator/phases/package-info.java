/** What is announced, and the pollers of what sees phases by itself. */
@NullMarked
package io.eley.coordinator.phases;

import org.jspecify.annotations.NullMarked;
