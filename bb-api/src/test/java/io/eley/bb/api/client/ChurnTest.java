package io.eley.bb.api.client;

import static io.eley.bb.api.client.FakeDeployment.BLOCK;
import static io.eley.bb.api.client.FakeDeployment.at;
import static io.eley.bb.api.client.FakeDeployment.usualPatience;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that come and go under readers: most reads come from RAM all the same. */
@Timeout(180)
@Tag("timing")
class ChurnTest {
  private static final int LENGTH = 64 * BLOCK;
  private static final int PIECE = BLOCK / 2;
  private static final int ROUNDS = 6;
  private static final int READERS = 2;
  private static final int PAIRS = 5;
  private static final double LEAST_RATE = 0.5;
  private static final Duration WINDOW = Duration.ofSeconds(3);
  private static final long BLOCKED_NANOS = 200_000_000;
  private static final long SECOND = 1_000_000_000;

  /** On a busy machine all is done again: so often at most in all. */
  private static final int ATTEMPTS = 3;

  private final byte[] content = new byte[LENGTH];
  private final AtomicLong reads = new AtomicLong();
  private final Lag lag = new Lag();
  private final AtomicLong blocked = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private FakeDeployment deployment;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    new Random(8).nextBytes(content);
    deployment = new FakeDeployment(temp);
    Files.write(deployment.origin.resolve("f"), content);
  }

  @AfterEach
  void stop() throws Exception {
    lag.close();
    deployment.close();
  }

  /**
   * What was seen of it.
   *
   * @param ram share of the bytes that came from RAM
   * @param longest nanoseconds of a read
   */
  private record Churn(double ram, long blocked, long longest) {
    /** To dial one that hangs takes 0.8 s, and a stall of the reader's thread may take the rest. */
    boolean isStalled() {
      return longest >= SECOND || blocked > ROUNDS * READERS;
    }
  }

  @Test
  void whileNodesComeAndGoMostReadsComeFromRamAndFewAreBlocked() throws Exception {
    Churn churn = churn();
    for (int i = 2; i <= ATTEMPTS && churn.isStalled(); i++) {
      churn = churn();
    }
    assertThat(churn.ram).as("share of RAM").isGreaterThan(0.5);
    assertThat(churn.blocked)
        .as("of %s reads, those that met a node that hangs: one a reader and round", reads)
        .isLessThanOrEqualTo(ROUNDS * READERS);
    assertThat(churn.longest).as("longest read").isLessThan(SECOND);
  }

  /** In each round one of four nodes dies or hangs, and the view follows after many reads. */
  private Churn churn() throws Exception {
    reads.set(0);
    blocked.set(0);
    longest.set(0);
    var nodes = new ArrayList<ScriptedServer>();
    for (int i = 0; i < 4; i++) {
      nodes.add(deployment.node(this::serve));
    }
    show(nodes);
    var client = deployment.client(usualPatience(Map.of()));
    var over = new AtomicBoolean();
    var readers = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < READERS; i++) {
      int seed = i;
      readers.add(CompletableFuture.runAsync(() -> read(client, seed, over)));
    }
    for (int round = 0; round < ROUNDS; round++) {
      awaitReads(1000);
      ScriptedServer gone = nodes.get(round % nodes.size());
      if (round % 2 == 0) {
        gone.close();
      } else {
        gone.freeze();
      }
      awaitReads(1000);
      nodes.set(round % nodes.size(), deployment.node(this::serve));
      show(nodes);
    }
    over.set(true);
    CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new)).join();

    double ram = client.counters().bytes(Source.REMOTE_RAM);
    double all = ram + client.counters().bytes(Source.FALLBACK);
    return new Churn(ram / all, blocked.get(), longest.get());
  }

  /**
   * Each pair of windows is one in which nothing happens and one in which a node of four goes and
   * another comes in its place, so that whatever else the machine does weighs on both.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whileNodesComeAndGoReadsKeepHalfOfTheirRate(boolean hangs) throws Exception {
    List<Double> ratios = ratios(hangs);
    for (int i = 2; i <= ATTEMPTS && ratios.get(PAIRS / 2) < LEAST_RATE; i++) {
      ratios = ratios(hangs);
    }
    assertThat(ratios.get(PAIRS / 2)).as("median of %s", ratios).isGreaterThanOrEqualTo(LEAST_RATE);
  }

  /** In their order, the least first. */
  private List<Double> ratios(boolean hangs) throws Exception {
    var nodes = new ArrayList<ScriptedServer>();
    for (int i = 0; i < 4; i++) {
      nodes.add(deployment.node(this::serve));
    }
    show(nodes);
    var client = deployment.client(usualPatience(Map.of()));
    var over = new AtomicBoolean();
    var readers = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < READERS; i++) {
      int seed = i;
      readers.add(CompletableFuture.runAsync(() -> read(client, seed, over)));
    }
    awaitReads(1000);
    var ratios = new ArrayList<Double>();
    for (int pair = 0; pair < PAIRS; pair++) {
      int which = pair % nodes.size();
      long calm = readsIn(WINDOW);
      ScriptedServer gone = nodes.get(which);
      if (hangs) {
        gone.freeze();
      } else {
        gone.close();
      }
      long disturbed = readsIn(WINDOW.dividedBy(2));
      nodes.set(which, deployment.node(this::serve));
      show(nodes);
      disturbed += readsIn(WINDOW.dividedBy(2));
      ratios.add((double) disturbed / calm);
    }
    over.set(true);
    CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new)).join();

    System.out.printf("rate while a node %s: %s%n", hangs ? "hangs" : "dies", ratios);
    ratios.sort(null);
    return ratios;
  }

  private long readsIn(Duration time) {
    long before = reads.get();
    long ends = System.nanoTime() + time.toNanos();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> System.nanoTime() - ends >= 0);
    return reads.get() - before;
  }

  private void show(List<ScriptedServer> nodes) {
    var addresses = new ArrayList<NodeAddress>();
    for (int i = 0; i < nodes.size(); i++) {
      addresses.add(at("n" + i, nodes.get(i)));
    }
    deployment.view(BufferMode.FULL_DELAY, addresses.toArray(NodeAddress[]::new));
  }

  private void awaitReads(int more) {
    long until = reads.get() + more;
    Awaitility.await().until(() -> reads.get() >= until);
  }

  private void read(EleyClient client, int seed, AtomicBoolean over) {
    var random = new Random(seed);
    try (var file = client.openFile("/f")) {
      while (!over.get()) {
        int position = random.nextInt(LENGTH / PIECE) * PIECE;
        var target = ByteBuffer.allocate(PIECE);
        var watch = lag.start();
        file.readFully(position, target);
        long took = watch.nanos();
        longest.accumulateAndGet(took, Math::max);
        blocked.addAndGet(took > BLOCKED_NANOS ? 1 : 0);
        reads.incrementAndGet();
        assertThat(target.array())
            .isEqualTo(Arrays.copyOfRange(content, position, position + PIECE));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    var read = (ReadBlock) request;
    int from = read.block().index() * BLOCK + read.offset();
    peer.data(
        id,
        new BlockData(read.offset(), true, true, List.of()),
        read.length(),
        Arrays.copyOfRange(content, from, from + read.length()));
  }
}
