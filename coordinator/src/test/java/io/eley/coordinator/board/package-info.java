/** The board's parts, and a board that serves. */
@NullMarked
package io.eley.coordinator.board;

import org.jspecify.annotations.NullMarked;
