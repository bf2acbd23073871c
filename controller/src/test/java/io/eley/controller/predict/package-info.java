/** Tests of periods, forecasts and how good they were. */
@NullMarked
package io.eley.controller.predict;

import org.jspecify.annotations.NullMarked;
