package io.eley.bb.server.store;

import io.eley.bb.api.BlockGeometry;
import java.nio.file.Path;

/**
 * Where and how large a store is.
 *
 * @param directory on a RAM-disk; made when missing; used by one process at a time
 * @param geometry the deployment's; blocks of another one that lie in the directory are dropped
 * @param capacityBytes the RAM budget for block files, footers included; positive
 */
public record StoreOptions(Path directory, BlockGeometry geometry, long capacityBytes) {}
