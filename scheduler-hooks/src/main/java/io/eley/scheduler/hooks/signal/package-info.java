/** Where phases are known from. */
@NullMarked
package io.eley.scheduler.hooks.signal;

import org.jspecify.annotations.NullMarked;
