/**
 * One burst-buffer node, put together: store, fetcher, frame server and the link to the
 * coordinator. Begin with {@link io.eley.bb.server.node.NodeServer}.
 */
@NullMarked
package io.eley.bb.server.node;

import org.jspecify.annotations.NullMarked;
