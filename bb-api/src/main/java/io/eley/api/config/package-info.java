/** Typed configuration: key, default, unit and bounds in one place. */
@NullMarked
package io.eley.api.config;

import org.jspecify.annotations.NullMarked;
