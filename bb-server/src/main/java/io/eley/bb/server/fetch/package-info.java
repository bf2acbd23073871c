/**
 * Origin to store, one chunk at a time, under a permit. Begin with {@link
 * io.eley.bb.server.fetch.BlockFetcher}.
 */
@NullMarked
package io.eley.bb.server.fetch;

import org.jspecify.annotations.NullMarked;
