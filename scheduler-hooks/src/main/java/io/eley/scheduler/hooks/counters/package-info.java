/** The file system's own counters: everybody's bytes, ours taken away. */
@NullMarked
package io.eley.scheduler.hooks.counters;

import org.jspecify.annotations.NullMarked;
