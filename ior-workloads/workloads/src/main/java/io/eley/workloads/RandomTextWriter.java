package io.eley.workloads;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/**
 * Writes the text that the workloads read, in the manner of Hadoop's RandomTextWriter, which
 * HiBench uses: lines of {@link RandomText#MIN_WORDS} to {@link RandomText#MAX_WORDS} words drawn
 * evenly from a vocabulary of about a thousand.
 *
 * <p>The same seed and sizes give the same bytes on any machine and with any number of threads: a
 * file is made of segments of {@value #SEGMENT_BYTES} bytes, each from a generator of its own,
 * seeded by seed, file and segment. Each segment ends a line, where its last word may be cut short.
 */
public final class RandomTextWriter {
  static final int SEGMENT_BYTES = 4 << 20;

  private RandomTextWriter() {}

  /**
   * What to write.
   *
   * @param directory made when it does not exist; files are named {@code part-00000} and so on
   * @param files how many
   * @param fileBytes size of each, exactly
   * @param seed any number
   */
  public record Plan(Path directory, int files, long fileBytes, long seed) {
    public Plan {
      if (files < 1 || fileBytes < 1) {
        throw new IllegalArgumentException("files and their size must be positive");
      }
    }

    public Path file(int index) {
      return directory.resolve(String.format(Locale.ROOT, "part-%05d", index));
    }

    public long totalBytes() {
      return Math.multiplyExact(files, fileBytes);
    }
  }

  /**
   * Writes the files, replacing those that exist. Blocks.
   *
   * @param threads how many write at once, one or more
   * @param progress notified after each segment of how many bytes it had; called from those threads
   * @throws IOException of the first write that failed
   */
  public static void write(Plan plan, int threads, LongConsumer progress) throws IOException {
    Files.createDirectories(plan.directory());
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      var files = new ArrayList<Future<Void>>();
      var segments = new ArrayList<Callable<Void>>();
      for (int file = 0; file < plan.files(); file++) {
        try (var channel =
            FileChannel.open(
                plan.file(file),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
          // Fixes the length at once, so that segments may come in any order.
          channel.write(ByteBuffer.wrap(new byte[1]), plan.fileBytes() - 1);
        }
        for (long at = 0; at < plan.fileBytes(); at += SEGMENT_BYTES) {
          segments.add(segment(plan, file, at, progress));
        }
      }
      segments.forEach(segment -> files.add(pool.submit(segment)));
      await(files);
      force(plan);
    } finally {
      pool.shutdownNow();
    }
  }

  /** Where a mount keeps what is written, it would be written beside what is measured next. */
  private static void force(Plan plan) throws IOException {
    for (int file = 0; file < plan.files(); file++) {
      try (var channel = FileChannel.open(plan.file(file), StandardOpenOption.WRITE)) {
        channel.force(false);
      }
    }
  }

  private static Callable<Void> segment(Plan plan, int file, long at, LongConsumer progress) {
    return () -> {
      int length = (int) Math.min(SEGMENT_BYTES, plan.fileBytes() - at);
      byte[] text = new byte[length];
      new RandomText(mix(mix(plan.seed() + file) + at)).fill(text);
      try (var channel = FileChannel.open(plan.file(file), StandardOpenOption.WRITE)) {
        var buffer = ByteBuffer.wrap(text);
        while (buffer.hasRemaining()) {
          channel.write(buffer, at + buffer.position());
        }
      }
      progress.accept(length);
      return null;
    };
  }

  private static void await(List<Future<Void>> segments) throws IOException {
    try {
      for (var segment : segments) {
        segment.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io
          ? io
          : new IOException("writing random text failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while writing random text", e);
    }
  }

  private static long mix(long value) {
    return LineDigest.mix(value);
  }
}
