/** The report of the deployment, and explanations of its state. */
@NullMarked
package io.eley.coordinator.status;

import org.jspecify.annotations.NullMarked;
