/** A site's board: its process, how deployments prove who they are, and how they ask it. */
@NullMarked
package io.eley.coordinator.board;

import org.jspecify.annotations.NullMarked;
