package io.eley.cli.bench;

import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import java.nio.ByteBuffer;
import java.util.List;

/** The same files through a deployment, as a task of Spark reads them. One thread; blocks. */
public final class BufferedReads {
  private final EleyClient client;

  public BufferedReads(EleyClient client) {
    this.client = client;
  }

  /**
   * Reads files one after the other.
   *
   * @param paths below the origin, with a slash before them
   * @param deadline after which it ends with what was read, nanoseconds
   */
  public Rate read(List<String> paths, long deadline) throws EleyException {
    var buffer = ByteBuffer.allocate(BenchFiles.CHUNK);
    long began = System.nanoTime();
    long bytes = 0;
    int files = 0;
    for (String path : paths) {
      try (var file = client.openFile(path)) {
        long position = 0;
        int moved;
        while ((moved = file.read(position, buffer.clear())) > 0) {
          position += moved;
          bytes += moved;
          if (System.nanoTime() - began > deadline) {
            return new Rate(bytes, files, BenchFiles.seconds(began));
          }
        }
      }
      files++;
    }
    return new Rate(bytes, files, BenchFiles.seconds(began));
  }
}
