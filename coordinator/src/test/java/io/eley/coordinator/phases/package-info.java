@NullMarked
package io.eley.coordinator.phases;

import org.jspecify.annotations.NullMarked;
