/** What is known of the origin's files. */
@NullMarked
package io.eley.coordinator.metadata;

import org.jspecify.annotations.NullMarked;
