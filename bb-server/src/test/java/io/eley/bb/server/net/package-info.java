/** Tests of the frame server, and a plain blocking client that can also misbehave. */
@NullMarked
package io.eley.bb.server.net;

import org.jspecify.annotations.NullMarked;
