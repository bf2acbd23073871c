package io.eley.cli.bench;

import io.eley.bb.api.origin.TreeDeletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Files below an origin that a measurement reads: a large one and many small ones, in a private
 * directory that goes when this is closed. Everything stops at a deadline, so that a slow file
 * system makes a smaller measurement, not a longer one. One thread; blocks.
 */
public final class BenchFiles implements AutoCloseable {
  static final int CHUNK = 1 << 20;
  static final int SMALL_BYTES = 64 << 10;
  private static final int MOST_SMALL = 200;

  private final Path directory;
  private final boolean direct;
  private final List<Path> small = new ArrayList<>();
  private long largeBytes;

  private BenchFiles(Path directory, boolean direct) {
    this.directory = directory;
    this.direct = direct;
  }

  /**
   * Makes the directory for them.
   *
   * @param origin a directory that this user may write to
   */
  public static BenchFiles below(Path origin) throws IOException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Path directory = Files.createTempDirectory(origin, ".eley-bench-", mode);
    return new BenchFiles(directory, takesDirect(directory));
  }

  /**
   * Writes them.
   *
   * @param bytes of the large file, a multiple of 1 MiB
   * @param deadline for each kind of file, nanoseconds
   */
  public void write(long bytes, long deadline) throws IOException {
    writeLarge(bytes, System.nanoTime() + deadline);
    writeSmall(System.nanoTime() + deadline);
  }

  private void writeLarge(long bytes, long until) throws IOException {
    byte[] chunk = new byte[CHUNK];
    new Random(1).nextBytes(chunk); // what is all alike, some file systems do not store
    try (var out =
        FileChannel.open(large(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (largeBytes < bytes && (largeBytes == 0 || System.nanoTime() < until)) {
        out.write(ByteBuffer.wrap(chunk));
        largeBytes += CHUNK;
      }
      out.force(true);
    }
  }

  private void writeSmall(long until) throws IOException {
    byte[] content = new byte[SMALL_BYTES];
    new Random(2).nextBytes(content);
    while (small.size() < MOST_SMALL && (small.isEmpty() || System.nanoTime() < until)) {
      Path file = directory.resolve("small-" + small.size());
      try (var out =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        out.write(ByteBuffer.wrap(content));
        out.force(true);
      }
      small.add(file);
    }
  }

  /** The large file from the file system itself, past the page cache where it lets us. */
  public Rate readLarge(long deadline) throws IOException {
    return read(List.of(large()), deadline);
  }

  /** The small files, one after the other. */
  public Rate readSmall(long deadline) throws IOException {
    return read(small, deadline);
  }

  private Rate read(List<Path> files, long deadline) throws IOException {
    var buffer = ByteBuffer.allocateDirect(2 * CHUNK).alignedSlice(SMALL_BYTES).limit(CHUNK);
    long began = System.nanoTime();
    long bytes = 0;
    int read = 0;
    for (Path file : files) {
      try (var in = FileChannel.open(file, options(direct))) {
        int moved;
        while ((moved = in.read(buffer.clear().limit(CHUNK))) > 0) {
          bytes += moved;
          if (System.nanoTime() - began > deadline) {
            return new Rate(bytes, read, seconds(began));
          }
        }
      }
      read++;
    }
    return new Rate(bytes, read, seconds(began));
  }

  private static double seconds(long began) {
    return Math.max(1, System.nanoTime() - began) / 1e9;
  }

  private static OpenOption[] options(boolean direct) {
    return direct
        ? new OpenOption[] {StandardOpenOption.READ, directOption()}
        : new OpenOption[] {StandardOpenOption.READ};
  }

  /** The JDK has it in a package without a supported name only. */
  private static OpenOption directOption() {
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      for (Object option : options.getEnumConstants()) {
        if (option.toString().equals("DIRECT")) {
          return (OpenOption) option;
        }
      }
    } catch (ClassNotFoundException e) {
      // As without the option.
    }
    return StandardOpenOption.READ;
  }

  private static boolean takesDirect(Path directory) {
    Path file = directory.resolve("direct");
    try {
      Files.write(file, new byte[CHUNK]);
      try (var in = FileChannel.open(file, options(true))) {
        return directOption() != StandardOpenOption.READ
            && in.read(ByteBuffer.allocateDirect(2 * CHUNK).alignedSlice(SMALL_BYTES).limit(CHUNK))
                > 0;
      } finally {
        Files.delete(file);
      }
    } catch (IOException | UnsupportedOperationException e) {
      return false; // a file system in RAM, or one that has only its cache
    }
  }

  /** Whether reads go past the page cache. */
  public boolean direct() {
    return direct;
  }

  public Path large() {
    return directory.resolve("large");
  }

  public long largeBytes() {
    return largeBytes;
  }

  public List<Path> small() {
    return List.copyOf(small);
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
