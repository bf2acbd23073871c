package io.eley.bb.api.client;

import io.eley.bb.api.BlockId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Another engine's own client, where the blocks of a deployment are in such an engine (Alluxio) and
 * not in our nodes' RAM-disks: a port, because this module brings no client of anybody's. Safe for
 * several threads.
 */
@FunctionalInterface
public interface EngineFiles {
  /**
   * Opens a block that is leased, and stays where it is until the lease is given back. Blocks.
   *
   * @param place where it is, in the words of the engine's adapter; see {@link
   *     io.eley.bb.api.wire.BlockMessage.LocalBlock#file}
   * @throws IOException also when the engine has not this block, or no client is there
   */
  Opened open(String place, BlockId block) throws IOException;

  /** An open block; for several threads. */
  interface Opened extends Closeable {
    /**
     * Reads up to {@code target.remaining()} bytes. Blocks.
     *
     * @param position within the block
     * @return bytes read, at least one, or -1 at the end
     */
    int read(ByteBuffer target, long position) throws IOException;
  }
}
