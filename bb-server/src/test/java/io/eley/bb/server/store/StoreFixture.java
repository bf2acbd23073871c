package io.eley.bb.server.store;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Small blocks with contents that follow from their names. */
final class StoreFixture {
  static final int CHUNK = 4096;
  static final BlockGeometry GEOMETRY = new BlockGeometry(4 * CHUNK, CHUNK);
  static final int BLOCK = GEOMETRY.blockSize();

  /** RAM of one whole block with a short path: its bytes and a page for the footer. */
  static final int FOOTPRINT = BLOCK + 4096;

  private StoreFixture() {}

  static BlockStore open(Path directory, long capacity) throws EleyException {
    return open(directory, capacity, StoreListener.NONE);
  }

  static BlockStore open(Path directory, long capacity, StoreListener listener)
      throws EleyException {
    return BlockStore.open(new StoreOptions(directory, GEOMETRY, capacity), listener);
  }

  static BlockId block(String path, int index) {
    return block(path, index, 1);
  }

  static BlockId block(String path, int index, long modifiedMillis) {
    return new BlockId(new FileVersion(path, 100L * BLOCK, modifiedMillis), index);
  }

  static byte[] contents(BlockId block) {
    byte[] bytes = new byte[GEOMETRY.length(block)];
    new Random(block.hashCode()).nextBytes(bytes);
    return bytes;
  }

  static void writeChunk(BlockWriter writer, BlockId block, int chunk) throws EleyException {
    byte[] all = contents(block);
    int from = chunk * CHUNK;
    writer.write(
        from, ByteBuffer.wrap(Arrays.copyOfRange(all, from, Math.min(all.length, from + CHUNK))));
  }

  /** Creates, fills and commits a block. */
  static void put(BlockStore store, BlockId block) throws EleyException {
    BlockWriter writer = store.create(block);
    for (int chunk = GEOMETRY.chunkCount(GEOMETRY.length(block)) - 1; chunk >= 0; chunk--) {
      writeChunk(writer, block, chunk);
    }
    writer.commit();
  }

  static byte[] read(StoredBlock block) throws IOException {
    var bytes = ByteBuffer.allocate(block.length());
    while (bytes.hasRemaining()) {
      if (block.channel().read(bytes, bytes.position()) < 0) {
        throw new IOException("short block");
      }
    }
    return bytes.array();
  }
}
