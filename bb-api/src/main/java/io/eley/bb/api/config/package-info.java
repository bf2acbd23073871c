/** Typed configuration: key, default, unit and bounds in one place. */
@NullMarked
package io.eley.bb.api.config;

import org.jspecify.annotations.NullMarked;
