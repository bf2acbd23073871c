/** Tests of error codes. */
@NullMarked
package io.eley.bb.api.error;

import org.jspecify.annotations.NullMarked;
