/** Tests of the node: its parts over fakes, and all of it in one JVM. */
@NullMarked
package io.eley.bb.server.node;

import org.jspecify.annotations.NullMarked;
