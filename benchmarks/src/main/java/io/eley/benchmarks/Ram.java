package io.eley.benchmarks;

import io.eley.bb.api.origin.TreeDeletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * A private directory on the RAM-disk ({@code eley.benchmarks.ram}, else {@code /dev/shm}), deleted
 * on close, or when the JVM ends before.
 */
final class Ram implements AutoCloseable {
  private static final int PIECE = 1 << 20;

  private final Path directory;

  Ram() throws IOException {
    this(Path.of(System.getProperty("eley.benchmarks.ram", "/dev/shm")));
  }

  /** One elsewhere. */
  Ram(Path parent) throws IOException {
    directory = Files.createTempDirectory(parent, "eley-bench-");
    Runtime.getRuntime().addShutdownHook(new Thread(this::closeQuietly));
  }

  Path resolve(String name) {
    return directory.resolve(name);
  }

  /** Makes a file of random bytes; its directories are made too. */
  Path file(String name, long length) throws IOException {
    Path file = resolve(name);
    Files.createDirectories(file.getParent());
    var random = new Random(7);
    var piece = new byte[PIECE];
    try (var out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < length; at += PIECE) {
        random.nextBytes(piece);
        var bytes = ByteBuffer.wrap(piece, 0, (int) Math.min(PIECE, length - at));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
      }
    }
    return file;
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      System.err.println("left behind: " + directory + ": " + e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      TreeDeletion.delete(directory);
    } catch (NoSuchFileException e) {
      return; // it is gone already
    }
  }
}
