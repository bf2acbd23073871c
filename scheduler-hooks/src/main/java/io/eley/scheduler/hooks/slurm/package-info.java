/** Slurm's jobs, what their steps read and write, and what they say of themselves. */
@NullMarked
package io.eley.scheduler.hooks.slurm;

import org.jspecify.annotations.NullMarked;
