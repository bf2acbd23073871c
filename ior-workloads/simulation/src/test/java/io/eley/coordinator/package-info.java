/** A coordinator on virtual time, for comparison with the simulated one. */
@NullMarked
package io.eley.coordinator;

import org.jspecify.annotations.NullMarked;
