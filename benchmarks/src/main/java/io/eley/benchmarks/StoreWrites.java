package io.eley.benchmarks;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A block of 16 chunks into a full store (the oldest block is evicted for it) against the same
 * bytes into a new file while the oldest is unlinked.
 */
@State(Scope.Benchmark)
public class StoreWrites {
  private static final BlockGeometry GEOMETRY = BlockGeometry.DEFAULT;
  private static final int KEPT = 8;

  private final ByteBuffer chunk = ByteBuffer.allocateDirect(GEOMETRY.chunkSize());
  private int next;

  public StoreWrites() {
    var bytes = new byte[GEOMETRY.chunkSize()];
    new Random(13).nextBytes(bytes);
    chunk.put(bytes).flip();
  }

  /** Eley's side. */
  @State(Scope.Benchmark)
  public static class Ours {
    private final Ram ram = Started.start(Ram::new);
    private final FileVersion version = new FileVersion("/file", 1L << 50, 1);
    private final BlockStore store =
        Started.start(
            () ->
                BlockStore.open(
                    new StoreOptions(
                        ram.resolve("store"),
                        GEOMETRY,
                        // Blocks take a page more than their bytes.
                        KEPT * (GEOMETRY.blockSize() + 4096L)),
                    StoreListener.NONE));

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      store.close();
      ram.close();
    }
  }

  /** The limit's side. */
  @State(Scope.Benchmark)
  public static class Raw {
    private final Ram ram = Started.start(Ram::new);

    Path path(int number) {
      return ram.resolve(Integer.toString(number));
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
      ram.close();
    }
  }

  @Benchmark
  public int blockOurs(Ours ours) throws IOException {
    var writer = ours.store.create(new BlockId(ours.version, next++));
    for (int i = 0; i < GEOMETRY.blockSize() / GEOMETRY.chunkSize(); i++) {
      writer.write(i * chunk.capacity(), chunk.rewind());
    }
    writer.commit();
    return next;
  }

  @Benchmark
  public int blockRaw(Raw raw) throws IOException {
    int number = next++;
    Files.deleteIfExists(raw.path(number - KEPT));
    try (var out =
        FileChannel.open(
            raw.path(number), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < GEOMETRY.blockSize(); ) {
        at += out.write(chunk.rewind(), at);
      }
    }
    return next;
  }
}
