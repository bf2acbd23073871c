/** Configuration of a coordinator. */
@NullMarked
package io.eley.coordinator.config;

import org.jspecify.annotations.NullMarked;
