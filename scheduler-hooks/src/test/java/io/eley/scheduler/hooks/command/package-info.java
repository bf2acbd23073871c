/** Tests of commands that are run. */
@NullMarked
package io.eley.scheduler.hooks.command;

import org.jspecify.annotations.NullMarked;
