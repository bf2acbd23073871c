package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What the controller costs: processor time of the coordinator's threads, and of no others. */
@Tag("timing")
@Isolated("it judges time")
@Timeout(value = 30, unit = TimeUnit.MINUTES) // for the runs of many minutes that -D asks for
class ControllerCostTest {
  private static final int NODES = 100;
  private static final int APPLICATIONS = 10;
  private static final int SPLITS = 400;
  private static final Duration LEASE = Duration.ofMinutes(5);

  @TempDir Path temporary;
  private ResourceLeakDetector.Level level;

  /**
   * The other tests look for leaks at every touch of a buffer; that is not what is measured here.
   */
  @BeforeEach
  void asInProduction() {
    level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
  }

  @AfterEach
  void asInTests() {
    ResourceLeakDetector.setLevel(level);
  }

  @Test
  void aHundredNodesAndTenApplicationsCostAPartOfACore() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY)) {
      deployment.file("in", SPLITS);
      for (int i = 0; i < NODES; i++) {
        deployment.node("n" + i, 10_000 + i).register();
      }
      Connection driver = deployment.connect();
      for (int a = 0; a < APPLICATIONS; a++) {
        TestDeployment.ask(driver, new StartApplication("app-" + a, "job"));
        TestDeployment.ask(driver, new WaveSize("app-" + a, 32));
        TestDeployment.ask(driver, new PlanStage(new StageId("app-" + a, 0, 0), splits(), true));
      }
      warm(driver);
      work(driver, 0, Long.getLong("eley.cost.warmup", 3_000));
      long seconds = 6;
      long before = nanos("eley-coordinator");
      long wall = System.nanoTime();
      work(driver, 1, 1_000 * seconds);
      double time = System.nanoTime() - wall;
      double share = (nanos("eley-coordinator") - before) / time;
      double raw = RawRoundTrip.nanos();
      System.out.printf(
          Locale.ROOT,
          "controller: %.2f %% of a core with %d nodes and %d applications: %.0f bare round trips a"
              + " second, %.0f us each%n",
          100 * share,
          NODES,
          APPLICATIONS,
          share * 1e9 / raw,
          raw / 1e3);
      assertThat(share).as("of a core").isPositive().isLessThan(0.06);
    }
  }

  /**
   * What a coordinator does in its first minutes, in seconds: the cost that counts is that of the
   * hours after them, when the JVM has compiled what is used. Each phase is confirmed by each node.
   */
  private static void warm(Connection driver) throws Exception {
    for (int i = 0; i < Integer.getInteger("eley.cost.phases", 400); i++) {
      TestDeployment.ask(driver, new BeginPhase("climate", LEASE));
      TestDeployment.ask(driver, new EndPhase("climate"));
      var stage = new StageId("app-" + i % APPLICATIONS, 0, 0);
      TestDeployment.ask(driver, new TasksEnded(stage, List.of(0)));
    }
  }

  /** A phase begins or ends every third second; a task of each application ends each half. */
  private static void work(Connection driver, int round, long millis) throws Exception {
    var timer = Executors.newSingleThreadScheduledExecutor();
    try {
      for (int i = 0; i < millis / 500; i++) {
        int step = i;
        timer.schedule(() -> step(driver, round, step), 500, TimeUnit.MILLISECONDS).get();
      }
    } finally {
      timer.shutdownNow();
    }
  }

  private static boolean step(Connection driver, int round, int step) throws Exception {
    if (step % 6 == 0) {
      TestDeployment.ask(
          driver, step % 12 == 0 ? new BeginPhase("climate", LEASE) : new EndPhase("climate"));
    }
    for (int a = 0; a < APPLICATIONS; a++) {
      var stage = new StageId("app-" + a, 0, 0);
      TestDeployment.ask(driver, new TasksEnded(stage, List.of(round * 100 + step)));
    }
    return true;
  }

  private static List<Split> splits() {
    long block = TestDeployment.BLOCK;
    return IntStream.range(0, SPLITS)
        .mapToObj(i -> new Split(i, List.of(new FileSlice("/in", new ByteRange(i * block, block)))))
        .toList();
  }

  /** Processor time of the threads whose names begin so. */
  private static long nanos(String name) {
    var threads = ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getAllThreadIds())
        .filter(
            id -> {
              var info = threads.getThreadInfo(id);
              return info != null && (info.getThreadName() + "$").startsWith(name);
            })
        .map(id -> Math.max(0, threads.getThreadCpuTime(id)))
        .sum();
  }
}
