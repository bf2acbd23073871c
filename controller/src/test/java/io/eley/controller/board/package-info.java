/** The board on virtual time. */
@NullMarked
package io.eley.controller.board;

import org.jspecify.annotations.NullMarked;
