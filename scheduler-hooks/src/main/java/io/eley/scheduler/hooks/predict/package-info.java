/** When the next phase comes: periods, forecasts, and how good they were. */
@NullMarked
package io.eley.scheduler.hooks.predict;

import org.jspecify.annotations.NullMarked;
