/**
 * The RAM-disk block store: one file per block, a capacity ledger, eviction, checksums, and an
 * inventory that is rebuilt from the files alone. Begin with {@link
 * io.eley.bb.server.store.BlockStore}.
 */
@NullMarked
package io.eley.bb.server.store;

import org.jspecify.annotations.NullMarked;
