/** Where phases are known from. */
@NullMarked
package io.eley.hooks.signal;

import org.jspecify.annotations.NullMarked;
