package io.eley.benchmarks;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.client.ScratchOutputs;
import io.eley.bb.api.client.ScratchOutputs.Source;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.benchmarks.Contest.Way;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Map outputs on their way to a node's scratch, each dropped at once, beside two limits in turns of
 * a fifth of a second: the same bytes by a bare {@code sendfile} over TCP, kept by nobody; and
 * those bytes written to a file of the RAM-disk by whoever receives them. They are sent, as between
 * machines, or given to the node of this machine: from files in the directory for temporary files,
 * and from files of the node's own file system.
 *
 * <p>Usage: {@code ScratchWrites SPARK_HOME [turns]}; the Spark's service is started and not asked.
 */
public final class ScratchWrites {
  private static final int OUTPUT = 32 << 20;
  private static final int PIECE = 1 << 20;
  private static final String APPLICATION = "app-1";

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final int turns;
  private final AtomicInteger shuffles = new AtomicInteger();

  private ScratchWrites(int turns) {
    this.turns = turns;
  }

  public static void main(String[] arguments) throws IOException {
    var writes = new ScratchWrites(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 15);
    var host = BenchmarkHost.describe();
    writes.out.printf("Eley %s, %d cores, load %s%n", host.commit(), host.cores(), host.load());
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try (var ram = new Ram();
        var disk = new Ram(temporary)) {
      Path data = ram.file("data", OUTPUT);
      ram.file("index", Long.BYTES);
      disk.file("data", OUTPUT);
      disk.file("index", Long.BYTES);
      writes.compare("sent", false, arguments[0], ram, data);
      writes.compare("given from " + temporary, true, arguments[0], disk, data);
      writes.compare("given from RAM-disk", true, arguments[0], ram, data);
    }
  }

  private void compare(String how, boolean local, String spark, Ram from, Path data)
      throws IOException {
    var files =
        List.of(
            new Source("data", from.resolve("data")), new Source("index", from.resolve("index")));
    try (var deployment = new OneNode(local, Map.of("eley.node.spark-home", spark));
        var ram = new Ram()) {
      for (int threads : new int[] {1, 2}) {
        var ours = ours(deployment, files);
        report(how + " / sendfile", threads, ours, thread -> kept(data, null));
        report(
            how + " / sendfile and file write",
            threads,
            ours,
            thread -> kept(data, ram.resolve("copy-" + thread)));
      }
    }
  }

  private Contest.Ways ours(OneNode deployment, List<Source> files) {
    return thread -> {
      var outputs =
          new ScratchOutputs(
              deployment.client(),
              Duration.ofSeconds(3),
              new OpenScratch(APPLICATION, Map.of(), ""));
      return () -> {
        int shuffle = shuffles.incrementAndGet();
        if (outputs.put(new MapOutput(APPLICATION, shuffle, 0), files, place -> {}).isEmpty()) {
          throw new IOException("no room");
        }
        outputs.drop(shuffle);
      };
    };
  }

  /** Receives the bytes, and writes them to a file if there is one, which goes at once. */
  private static Way kept(Path data, @Nullable Path copy) throws IOException {
    var sender = new RawSender(data);
    var piece = ByteBuffer.allocateDirect(copy == null ? OUTPUT : PIECE);
    if (copy == null) {
      return () -> sender.read(0, piece.clear());
    }
    return () -> {
      try (var file =
          FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        for (long at = 0; at < OUTPUT; at += PIECE) {
          sender.read(at, piece.clear());
          for (piece.flip(); piece.hasRemaining(); ) {
            file.write(piece);
          }
        }
      }
      Files.delete(copy);
    };
  }

  private void report(String what, int threads, Contest.Ways ours, Contest.Ways limit)
      throws IOException {
    var outcome = new Contest(threads, turns).run(ours, limit);
    double mebibytes = OUTPUT >> 20;
    out.printf(
        "%-48s x%d %,8.0f MiB/s of %,8.0f MiB/s: %.2f%n",
        what, threads, outcome.ours() * mebibytes, outcome.limit() * mebibytes, outcome.ratio());
  }
}
