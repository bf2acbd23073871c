@org.jspecify.annotations.NullUnmarked
package io.eley.hooks.slurm;
