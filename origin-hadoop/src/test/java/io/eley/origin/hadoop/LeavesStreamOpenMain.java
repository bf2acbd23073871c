package io.eley.origin.hadoop;

import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;

/** A program that ends with a file still open for writing, and writes another when it ends. */
final class LeavesStreamOpenMain {
  private LeavesStreamOpenMain() {}

  /**
   * Writes {@code told} to both files.
   *
   * @param args an origin, and the names of two files that are not there; the second is written
   *     when Hadoop closes its own file systems
   */
  public static void main(String[] args) throws Exception {
    Origin origin = Origins.open(args[0], "test");
    write(origin, args[1]);
    ShutdownHookManager.get()
        .addShutdownHook(() -> writeAndClose(origin, args[2]), FileSystem.SHUTDOWN_HOOK_PRIORITY);
    System.exit(0); // clients of HDFS have threads
  }

  private static OutputStream write(Origin origin, String file) throws IOException {
    OutputStream out = origin.create(file, false);
    out.write("told".getBytes(StandardCharsets.UTF_8));
    return out;
  }

  private static void writeAndClose(Origin origin, String file) {
    try {
      write(origin, file).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
