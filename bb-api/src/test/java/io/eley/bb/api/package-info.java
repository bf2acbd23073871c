/** Tests of the words. */
@NullMarked
package io.eley.bb.api;

import org.jspecify.annotations.NullMarked;
