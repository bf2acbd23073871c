/** One view of all signals, and of what comes next. */
@NullMarked
package io.eley.scheduler.hooks.watch;

import org.jspecify.annotations.NullMarked;
