/** Tests of the client. */
@NullMarked
package io.eley.bb.api.client;

import org.jspecify.annotations.NullMarked;
