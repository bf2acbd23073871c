/** Tests of origins. */
@NullMarked
package io.eley.bb.api.origin;

import org.jspecify.annotations.NullMarked;
