/** Tests of scratch. */
@NullMarked
package io.eley.bb.server.scratch;

import org.jspecify.annotations.NullMarked;
