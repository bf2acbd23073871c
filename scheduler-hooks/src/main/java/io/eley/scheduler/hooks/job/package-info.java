/**
 * The life of a Slurm job with a buffer: scripts and their submission, the stages that {@code
 * burst_buffer.lua} calls, staging, and what a ledger tells about a job. Slurm is behind {@link
 * io.eley.scheduler.hooks.command.CommandRunner}.
 */
@NullMarked
package io.eley.scheduler.hooks.job;

import org.jspecify.annotations.NullMarked;
