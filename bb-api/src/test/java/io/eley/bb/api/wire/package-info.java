/** Tests of what goes over a connection. */
@NullMarked
package io.eley.bb.api.wire;

import org.jspecify.annotations.NullMarked;
