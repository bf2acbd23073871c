/** Tests of phase sources. */
@NullMarked
package io.eley.scheduler.hooks.signal;

import org.jspecify.annotations.NullMarked;
