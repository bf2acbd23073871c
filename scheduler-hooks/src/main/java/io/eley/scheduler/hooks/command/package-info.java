/** Other people's programs, run with a deadline. */
@NullMarked
package io.eley.scheduler.hooks.command;

import org.jspecify.annotations.NullMarked;
