/** Tests of phase sources and their fusion. */
@NullMarked
package io.eley.controller.phase;

import org.jspecify.annotations.NullMarked;
