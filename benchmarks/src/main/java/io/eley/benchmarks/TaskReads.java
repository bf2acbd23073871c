package io.eley.benchmarks;

import io.eley.benchmarks.Contest.Way;
import io.eley.spark.connector.fs.BbFileSystem;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * What a task sees through Hadoop's API, with everything at its default, each beside its limit in
 * the same minute: on the same host Hadoop's own file system of local files, on the RAM-disk; over
 * TCP a bare {@code sendfile}. The file has more blocks than a client keeps leases.
 *
 * <p>Usage: {@code TaskReads [turns [rows [KEY=VALUE ...]]]}: turns of each kind of read, some five
 * minutes for 9; a regular expression for a part of the rows, as "TCP, 64 KiB x1"; and settings of
 * the client that are not its defaults.
 */
public final class TaskReads {
  private static final OneNode.Size SIZE = new OneNode.Size(1 << 20, 2000);
  private static final int SMALL = Positions.SMALL;
  private static final int LARGE = 1 << 20;

  /** Bytes of one step of a stream. */
  private static final int STEP = 16 << 20;

  private static final int RANGES = 16;
  private static final Path FILE = new Path(OneNode.PATH);

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final int turns;
  private final Pattern rows;
  private final List<String> settings;

  private TaskReads(int turns, Pattern rows, List<String> settings) {
    this.turns = turns;
    this.rows = rows;
    this.settings = settings;
  }

  public static void main(String[] arguments) throws IOException {
    var reads =
        new TaskReads(
            arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15,
            Pattern.compile(arguments.length > 1 ? arguments[1] : ""),
            List.of(arguments).subList(Math.min(2, arguments.length), arguments.length));
    var host = BenchmarkHost.describe();
    reads.out.printf("Eley %s, %d cores, load %s%n", host.commit(), host.cores(), host.load());
    try (var deployment = new OneNode(SIZE, true, Map.of())) {
      reads.onTheSameHost(deployment);
    }
    try (var deployment = new OneNode(SIZE, false, Map.of())) {
      reads.overTcp(deployment);
    }
  }

  private void onTheSameHost(OneNode deployment) throws IOException {
    try (var ours = fileSystem(deployment, true);
        var raw = new RawLocalFileSystem()) {
      raw.initialize(URI.create("file:///"), new Configuration(false));
      var local = new Path(deployment.origin() + OneNode.PATH);
      for (int blocks : new int[] {48, 1000, SIZE.blocks()}) {
        for (int threads : new int[] {1, 4}) {
          report(
              "same host, 64 KiB, " + blocks + " blocks",
              threads,
              thread -> scattered(ours.open(FILE), blocks, thread),
              thread -> scattered(raw.open(local), blocks, thread));
        }
      }
      for (int threads : new int[] {1, 4}) {
        report(
            "same host, open + 64 KiB",
            threads,
            thread -> opening(ours, FILE, thread),
            thread -> opening(raw, local, thread));
      }
    }
  }

  private void overTcp(OneNode deployment) throws IOException {
    try (var ours = fileSystem(deployment, false)) {
      var file = java.nio.file.Path.of(deployment.origin() + OneNode.PATH);
      for (int threads : new int[] {1, 4}) {
        report(
            "TCP, stream in 1 MiB (16 MiB each)",
            threads,
            thread -> stream(ours.open(FILE), LARGE),
            thread -> bare(new RawSender(file), STEP, thread));
        report(
            "TCP, stream in 8 KiB (16 MiB each)",
            threads,
            thread -> stream(ours.open(FILE), 8 << 10),
            thread -> bare(new RawSender(file), STEP, thread));
        report(
            "TCP, 64 KiB",
            threads,
            thread -> scattered(ours.open(FILE), SIZE.blocks(), thread),
            thread -> bare(new RawSender(file), SMALL, thread));
        report(
            "TCP, 16 ranges of 64 KiB / stream",
            threads,
            thread -> vectored(ours.open(FILE), thread),
            thread -> large(ours.open(FILE)));
        report(
            "getFileStatus / round trip",
            threads,
            thread -> () -> ours.getFileStatus(FILE),
            thread -> bare(new RawSender(file), 1, thread));
        report(
            "TCP, open + 64 KiB / both bare",
            threads,
            thread -> opening(ours, FILE, thread),
            thread -> roundTripAndRead(new RawSender(file), thread));
      }
    }
  }

  private void report(String what, int threads, Contest.Ways ours, Contest.Ways limit)
      throws IOException {
    if (!rows.matcher(what + " x" + threads).find()) {
      return;
    }
    var outcome = new Contest(threads, turns).run(ours, limit);
    out.printf(
        "%-36s x%d %,10.0f/s of %,10.0f/s: %.2f%n",
        what, threads, outcome.ours(), outcome.limit(), outcome.ratio());
  }

  private FileSystem fileSystem(OneNode deployment, boolean local) throws IOException {
    var conf = new Configuration(false);
    conf.set("eley.deployment", deployment.directory());
    conf.set("eley.client.local", Boolean.toString(local));
    conf.set("eley.client.read-ahead", "false"); // as the driver plugin sets it
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      conf.set(parts[0], parts[1]);
    }
    var fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
    return fs;
  }

  private static Way scattered(FSDataInputStream in, int blocks, int thread) {
    var random = new Random(thread);
    var target = new byte[SMALL];
    return () -> in.readFully(somewhere(random, blocks), target);
  }

  private static Way opening(FileSystem fs, Path file, int thread) {
    var random = new Random(thread);
    var target = new byte[SMALL];
    return () -> {
      try (var in = fs.open(file)) {
        in.readFully(somewhere(random, 48), target);
      }
    };
  }

  private static Way stream(FSDataInputStream in, int piece) {
    var target = new byte[piece];
    return () -> {
      if (in.available() < STEP) {
        in.seek(0);
      }
      for (int at = 0; at < STEP; at += piece) {
        in.readFully(target);
      }
    };
  }

  private static Way large(FSDataInputStream in) {
    var target = new byte[LARGE];
    return () -> {
      if (in.available() < LARGE) {
        in.seek(0);
      }
      in.readFully(target);
    };
  }

  private static Way vectored(FSDataInputStream in, int thread) {
    var random = new Random(thread);
    return () -> {
      var ranges =
          IntStream.range(0, RANGES)
              .mapToObj(i -> FileRange.createFileRange(place(random, i), SMALL))
              .toList();
      in.readVectored(ranges, ByteBuffer::allocate);
      for (var range : ranges) {
        try {
          int unused = range.getData().get().remaining();
        } catch (ExecutionException | InterruptedException e) {
          throw new IOException(e);
        }
      }
    };
  }

  /** In a sixteenth of the file each, since Hadoop refuses ranges that overlap. */
  private static long place(Random random, int part) {
    long places = SIZE.length() / RANGES / SMALL;
    return (part * places + random.nextInt((int) places)) * SMALL;
  }

  private static long somewhere(Random random, int blocks) {
    return (long) random.nextInt((int) ((long) blocks * SIZE.block() / SMALL)) * SMALL;
  }

  private static Way bare(RawSender sender, int length, int thread) {
    var random = new Random(thread);
    var target = ByteBuffer.allocateDirect(length);
    int places = (int) (SIZE.length() / Math.max(length, SMALL));
    return () ->
        sender.read((long) random.nextInt(places) * Math.max(length, SMALL), target.clear());
  }

  private static Way roundTripAndRead(RawSender sender, int thread) {
    Way trip = bare(sender, 1, thread);
    Way read = bare(sender, SMALL, thread);
    return () -> {
      trip.once();
      read.once();
    };
  }
}
