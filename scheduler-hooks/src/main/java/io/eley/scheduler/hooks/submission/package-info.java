/**
 * The local socket by which Slurm's user, who may not submit for others, has root submit a buffer.
 * What is submitted is {@link io.eley.scheduler.hooks.job.BufferSubmission}'s to say.
 */
@NullMarked
package io.eley.scheduler.hooks.submission;

import org.jspecify.annotations.NullMarked;
