/** Jobs for Slurm: their scripts, and the commands that submit them. */
@NullMarked
package io.eley.cli.slurm;

import org.jspecify.annotations.NullMarked;
