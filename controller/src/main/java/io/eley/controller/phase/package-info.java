/** What is known of HPC I/O phases: sources, their evidence, and one view of it. Pure. */
@NullMarked
package io.eley.controller.phase;

import org.jspecify.annotations.NullMarked;
