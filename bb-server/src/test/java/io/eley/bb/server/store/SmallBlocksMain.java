package io.eley.bb.server.store;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A process that brings small files into a store, as a node does, with the heap that it was given:
 * directory, and how many files. Prints how many blocks it has found and how many it has at last.
 */
final class SmallBlocksMain {
  private static final int BYTES = 200;

  private SmallBlocksMain() {}

  public static void main(String[] arguments) throws Exception {
    var options = new StoreOptions(Path.of(arguments[0]), BlockGeometry.DEFAULT, 1 << 28);
    try (var store = BlockStore.open(options, StoreListener.NONE)) {
      int found = store.blockCount();
      for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
        var file = new FileVersion("/data/of/a/user/run-2026/part-%06d".formatted(i), BYTES, found);
        BlockWriter writer = store.create(new BlockId(file, 0));
        writer.write(0, ByteBuffer.wrap(new byte[BYTES]));
        writer.commit();
      }
      System.out.println(found + " " + store.blockCount());
    }
  }
}
