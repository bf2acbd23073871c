package io.eley.benchmarks;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.client.ScratchOutputs;
import io.eley.bb.api.client.ScratchOutputs.Place;
import io.eley.bb.api.client.ScratchOutputs.Source;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.benchmarks.Contest.Way;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.ExternalBlockStoreClient;
import org.apache.spark.network.shuffle.protocol.ExecutorShuffleInfo;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Map outputs on their way from a node's scratch to another host's reader: Spark's own client asks
 * Spark's own service, a process of its own, for eight blocks of a mebibyte, which is a request of
 * the size that Spark makes by default. Beside it, in turns of a fifth of a second, the same bytes
 * by a bare {@code sendfile} over TCP.
 *
 * <p>Usage: {@code ScratchFetches SPARK_HOME [turns]}, with that Spark's jars behind ours on the
 * class path.
 */
public final class ScratchFetches {
  private static final int BLOCKS = 8;
  private static final int BLOCK = 1 << 20;
  private static final int OUTPUT = BLOCKS * BLOCK;
  private static final String APPLICATION = "app-1";
  private static final long TIMEOUT_MILLIS = 30_000;

  /** What Spark calls its shuffles' writer, and how many directories it looks into. */
  private static final String SORT = "org.apache.spark.shuffle.sort.SortShuffleManager";

  private static final int SUBDIRECTORIES = 64;

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final int turns;

  private ScratchFetches(int turns) {
    this.turns = turns;
  }

  public static void main(String[] arguments) throws IOException {
    var fetches = new ScratchFetches(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 15);
    var host = BenchmarkHost.describe();
    fetches.out.printf("Eley %s, %d cores, load %s%n", host.commit(), host.cores(), host.load());
    try (var deployment = new OneNode(false, Map.of("eley.node.spark-home", arguments[0]));
        var ram = new Ram()) {
      fetches.compare(deployment, ram);
    }
  }

  private void compare(OneNode deployment, Ram ram) throws IOException {
    ram.file("data", OUTPUT);
    Path data = ram.resolve("data");
    Path index = ram.resolve("index");
    var offsets = ByteBuffer.allocate((BLOCKS + 1) * Long.BYTES);
    for (long at = 0; at <= OUTPUT; at += BLOCK) {
      offsets.putLong(at);
    }
    Files.write(index, offsets.array());
    Place place = put(deployment, List.of(new Source("data", data), new Source("index", index)));
    for (int threads : new int[] {1, 2}) {
      var outcome =
          new Contest(threads, turns)
              .run(thread -> fetch(place), thread -> bare(new RawSender(data)));
      double mebibytes = OUTPUT >> 20;
      out.printf(
          "fetch / sendfile x%d %,8.0f MiB/s of %,8.0f MiB/s: %.2f%n",
          threads, outcome.ours() * mebibytes, outcome.limit() * mebibytes, outcome.ratio());
    }
  }

  private static Place put(OneNode deployment, List<Source> files) throws IOException {
    var outputs =
        new ScratchOutputs(
            deployment.client(), Duration.ofSeconds(3), new OpenScratch(APPLICATION, Map.of(), ""));
    return outputs
        .put(new MapOutput(APPLICATION, 0, 0), files, there -> {})
        .orElseThrow(() -> new IOException("no room"));
  }

  private static Way bare(RawSender sender) {
    var target = ByteBuffer.allocateDirect(OUTPUT);
    return () -> sender.read(0, target.clear());
  }

  private static Way fetch(Place place) throws IOException {
    var client =
        new ExternalBlockStoreClient(
            new TransportConf("shuffle", MapConfigProvider.EMPTY), null, false, TIMEOUT_MILLIS);
    client.init(APPLICATION);
    String host = place.node().host();
    int port = place.service().port();
    String executor = place.service().executor();
    try {
      client.registerWithShuffleServer(
          host,
          port,
          executor,
          new ExecutorShuffleInfo(
              new String[] {place.service().directory()}, SUBDIRECTORIES, SORT));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    var blocks = new String[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = "shuffle_0_0_" + i;
    }
    return () -> {
      var arrival = new Arrival();
      client.fetchBlocks(host, port, executor, blocks, arrival, null);
      arrival.await();
    };
  }

  /** Done with the last byte of all blocks, or with the first failure. */
  private static final class Arrival implements BlockFetchingListener {
    private final AtomicLong missing = new AtomicLong(OUTPUT);
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    @Override
    public void onBlockFetchSuccess(String block, ManagedBuffer data) {
      if (missing.addAndGet(-data.size()) == 0) {
        done.complete(null);
      }
    }

    @Override
    public void onBlockFetchFailure(String block, Throwable why) {
      done.completeExceptionally(why);
    }

    void await() throws IOException {
      try {
        done.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new IOException("the blocks have not come", e);
      }
    }
  }
}
