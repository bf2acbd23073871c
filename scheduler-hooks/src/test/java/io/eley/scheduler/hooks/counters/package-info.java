/** Tests of counters and of how they are read. */
@NullMarked
package io.eley.scheduler.hooks.counters;

import org.jspecify.annotations.NullMarked;
