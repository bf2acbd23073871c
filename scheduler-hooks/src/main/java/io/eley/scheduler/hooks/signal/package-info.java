/** Samplers of phases, and what polls them. */
@NullMarked
package io.eley.scheduler.hooks.signal;

import org.jspecify.annotations.NullMarked;
