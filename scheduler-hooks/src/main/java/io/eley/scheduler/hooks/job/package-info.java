/** Jobs for Slurm: their scripts, and the commands that submit them. */
@NullMarked
package io.eley.scheduler.hooks.job;

import org.jspecify.annotations.NullMarked;
