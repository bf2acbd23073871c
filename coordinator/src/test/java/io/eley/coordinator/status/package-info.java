/** Tests of what people are told. */
@NullMarked
package io.eley.coordinator.status;

import org.jspecify.annotations.NullMarked;
