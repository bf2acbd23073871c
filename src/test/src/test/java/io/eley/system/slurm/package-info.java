/** Jobs and phases on a real Slurm. */
@NullMarked
package io.eley.system.slurm;

import org.jspecify.annotations.NullMarked;
