/** Tests of what Slurm tells of jobs. */
@NullMarked
package io.eley.scheduler.hooks.slurm;

import org.jspecify.annotations.NullMarked;
