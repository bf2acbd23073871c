/** One view of all signals, and of what comes next. */
@NullMarked
package io.eley.controller.watch;

import org.jspecify.annotations.NullMarked;
