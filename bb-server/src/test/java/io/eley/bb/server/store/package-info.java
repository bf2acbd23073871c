/** Tests of the block store. */
@NullMarked
package io.eley.bb.server.store;

import org.jspecify.annotations.NullMarked;
