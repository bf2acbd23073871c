/** A site's board: one watch for the deployments of all users, and what they move. */
@NullMarked
package io.eley.controller.board;

import org.jspecify.annotations.NullMarked;
