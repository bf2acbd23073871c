/** Tests of a buffer's job over a scripted Slurm. */
@NullMarked
package io.eley.scheduler.hooks.job;

import org.jspecify.annotations.NullMarked;
