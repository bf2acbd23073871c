/** Tests of the probe. */
@NullMarked
package io.eley.scheduler.hooks.probe;

import org.jspecify.annotations.NullMarked;
