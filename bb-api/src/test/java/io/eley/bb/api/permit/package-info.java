/** Tests of the permit gate. */
@NullMarked
package io.eley.bb.api.permit;

import org.jspecify.annotations.NullMarked;
