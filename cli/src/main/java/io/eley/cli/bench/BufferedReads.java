package io.eley.cli.bench;

import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongSupplier;

/** The same files through a deployment, as a task of Spark reads them. One thread; blocks. */
public final class BufferedReads {
  private final EleyClient client;
  private final LongSupplier clock;

  public BufferedReads(EleyClient client) {
    this(client, System::nanoTime);
  }

  BufferedReads(EleyClient client, LongSupplier clock) {
    this.client = client;
    this.clock = clock;
  }

  /**
   * Reads files one after the other.
   *
   * @param paths below the origin, with a slash before them
   * @param deadline after which it ends with what was read, nanoseconds
   */
  public Rate read(List<String> paths, long deadline) throws EleyException {
    return read(paths, Long.MAX_VALUE, deadline);
  }

  /**
   * Reads the same bytes once more, and none beyond them: what a deadline cut off was not fetched,
   * and would be timed as if it came from RAM.
   *
   * @param before what the first reading of these paths moved
   * @param deadline as before
   */
  public Rate again(Rate before, List<String> paths, long deadline) throws EleyException {
    return read(paths, before.bytes(), deadline);
  }

  private Rate read(List<String> paths, long most, long deadline) throws EleyException {
    var buffer = ByteBuffer.allocate(BenchFiles.CHUNK);
    long began = clock.getAsLong();
    long bytes = 0;
    int files = 0;
    for (String path : paths) {
      if (bytes >= most) {
        break;
      }
      try (var file = client.openFile(path)) {
        long position = 0;
        int moved;
        while ((moved = file.read(position, room(buffer, most - bytes))) > 0) {
          position += moved;
          bytes += moved;
          if (clock.getAsLong() - began > deadline) {
            return new Rate(bytes, files, seconds(began));
          }
        }
      }
      files++;
    }
    return new Rate(bytes, files, seconds(began));
  }

  /** Without room nothing is read. */
  private static ByteBuffer room(ByteBuffer buffer, long most) {
    return buffer.clear().limit((int) Math.min(buffer.capacity(), most));
  }

  private double seconds(long began) {
    return Math.max(1, clock.getAsLong() - began) / 1e9;
  }
}
