@NullMarked
package io.eley.coordinator.agent;

import org.jspecify.annotations.NullMarked;
