/** Tests of the view of all sources. */
@NullMarked
package io.eley.controller.watch;

import org.jspecify.annotations.NullMarked;
