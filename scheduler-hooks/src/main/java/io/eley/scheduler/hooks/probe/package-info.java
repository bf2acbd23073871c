/** A tiny timed I/O, against what it takes when nobody else is there. */
@NullMarked
package io.eley.scheduler.hooks.probe;

import org.jspecify.annotations.NullMarked;
