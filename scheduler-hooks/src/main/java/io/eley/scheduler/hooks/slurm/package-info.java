/** Slurm's jobs, what their steps read and write, and the phases that they report themselves. */
@NullMarked
package io.eley.scheduler.hooks.slurm;

import org.jspecify.annotations.NullMarked;
