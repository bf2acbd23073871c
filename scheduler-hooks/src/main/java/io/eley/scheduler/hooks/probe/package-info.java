/** A tiny timed I/O, compared with its time on an idle file system. */
@NullMarked
package io.eley.scheduler.hooks.probe;

import org.jspecify.annotations.NullMarked;
