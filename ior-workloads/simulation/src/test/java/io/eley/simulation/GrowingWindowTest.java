package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.prefetcher.control.DemandPolicy;
import io.eley.prefetcher.control.OperatorChoice;
import io.eley.prefetcher.plan.WindowReach;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Windows that grow against those of one wave ahead, in the same worlds. */
@Tag("slow")
@Timeout(600) // on a busy machine; it does nothing but compute
class GrowingWindowTest {
  private static final int SCENARIOS = 1000;
  private static final long MIB = 1 << 20;
  private static final int FETCHERS = 4;

  private static final Scenario.Control TOLD =
      new Scenario.Control(
          WindowReach.growing(FETCHERS),
          DemandPolicy.WAIT,
          Duration.ofSeconds(60),
          16 * MIB,
          OperatorChoice.CHOOSER,
          0,
          Scenario.Signals.BOTH);

  /** Two tasks at once, of a block each, and an origin that takes 30 ms for an answer. */
  private static Scenario farAway(BufferMode mode, List<Scenario.HpcLoad> hpc) {
    return new Scenario(
        7,
        mode,
        new Scenario.Nodes(1, 512 * MIB, FETCHERS, new BlockGeometry(1 << 24, 1 << 20), 0, -1),
        new Scenario.Origin(400e6, 100e6, 0.03, 1),
        new Scenario.Net(0.001, 0, 1e9),
        List.of(new Scenario.SparkJob(64, 16 * MIB, 2, 40e6, 0.3, 0)),
        hpc,
        TOLD);
  }

  private static Simulation.Outcome run(Scenario scenario, WindowReach reach) {
    var outcome = new Simulation(scenario.with(reach)).run();
    assertThat(outcome.breaches()).isEmpty();
    return outcome;
  }

  @Test
  void fewTasksFarFromTheirOriginEndSooner() {
    var scenario = farAway(BufferMode.FULL_DELAY, List.of());
    var one = run(scenario, WindowReach.fixed(1));
    var growing = run(scenario, WindowReach.growing(FETCHERS));
    var four = run(scenario, WindowReach.fixed(4));
    System.out.printf(
        "map phases: one wave ahead %.2f s, growing %.2f s, four %.2f s%n",
        one.lastMapSeconds(), growing.lastMapSeconds(), four.lastMapSeconds());
    assertThat(growing.lastMapSeconds()).isLessThan(0.95 * one.lastMapSeconds());
    assertThat(growing.lastMapSeconds()).isLessThan(1.02 * four.lastMapSeconds());
    assertThat(all(growing)).as("bytes of the origin").isEqualTo(all(one));
  }

  @Test
  void besideAnHpcApplicationTheyDoAndItsPhasesTakeNoLonger() {
    var load = new Scenario.HpcLoad(4, 256 * MIB, 4, 0.2);
    var scenario = farAway(BufferMode.FULL_DELAY, List.of(load));
    var one = run(scenario, WindowReach.fixed(1));
    var growing = run(scenario, WindowReach.growing(FETCHERS));
    System.out.printf(
        "beside phases: one wave ahead %.2f s and %.3f slower, growing %.2f s and %.3f slower%n",
        one.lastMapSeconds(),
        one.slowdown().orElseThrow(),
        growing.lastMapSeconds(),
        growing.slowdown().orElseThrow());
    assertThat(growing.lastMapSeconds()).isLessThan(one.lastMapSeconds());
    assertThat(growing.slowdown().orElseThrow()).isLessThan(0.03);
  }

  /** Four tasks of a second, and phases of ten; the first of them finds a window of one wave. */
  @Test
  void itLastsForAHoldThatIsLongerThanAWave() {
    var scenario =
        new Scenario(
            7,
            BufferMode.FULL_DELAY,
            new Scenario.Nodes(2, 1024 * MIB, FETCHERS, new BlockGeometry(1 << 24, 1 << 20), 0, -1),
            new Scenario.Origin(400e6, 100e6, 0.001, 1),
            new Scenario.Net(0.001, 0, 1e9),
            List.of(new Scenario.SparkJob(256, 16 * MIB, 4, 16e6, 0.3, 0)),
            List.of(new Scenario.HpcLoad(4, 1024 * MIB, 6, 0.2)),
            TOLD);
    var one = run(scenario, WindowReach.fixed(1));
    var growing = run(scenario, WindowReach.growing(FETCHERS));
    var twelve = run(scenario, WindowReach.fixed(12));
    System.out.printf(
        "long holds: one wave ahead %.2f s, growing %.2f s, twelve %.2f s%n",
        one.lastMapSeconds(), growing.lastMapSeconds(), twelve.lastMapSeconds());
    assertThat(growing.lastMapSeconds()).isLessThan(0.85 * one.lastMapSeconds());
    assertThat(growing.lastMapSeconds()).isLessThan(1.1 * twelve.lastMapSeconds());
    assertThat(growing.slowdown().orElseThrow()).isLessThan(0.03);
    assertThat(all(growing)).as("bytes of the origin").isEqualTo(all(one));
  }

  private static long all(Simulation.Outcome outcome) {
    return Stream.of(ReadCause.PREFETCH, ReadCause.DEMAND, ReadCause.FALLBACK)
        .mapToLong(cause -> outcome.bytes().getOrDefault(cause, 0L))
        .sum();
  }

  /** Small nodes, several applications, lost messages and dying nodes among them. */
  @Test
  void inRandomClustersNothingIsWorse() {
    long base = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the clusters (-Deley.test.seed=...): " + base);
    double mapOne = 0;
    double mapGrowing = 0;
    double slowdownOne = 0;
    double slowdownGrowing = 0;
    double bytesOne = 0;
    double bytesGrowing = 0;
    for (int i = 0; i < SCENARIOS; i++) {
      var scenario = Scenario.random(base + i).with(BufferMode.FULL_DELAY);
      var one = run(scenario, WindowReach.fixed(1));
      var growing = run(scenario, WindowReach.growing(scenario.nodes().fetchers()));
      mapOne += one.lastMapSeconds();
      mapGrowing += growing.lastMapSeconds();
      slowdownOne += one.slowdown().orElse(0);
      slowdownGrowing += growing.slowdown().orElse(0);
      long wanted = scenario.spark().stream().mapToLong(j -> j.splits() * j.splitBytes()).sum();
      bytesOne += (double) all(one) / wanted;
      bytesGrowing += (double) all(growing) / wanted;
    }
    System.out.printf(
        "one wave ahead, growing: map %.1f s, %.1f s; phases slower by %.4f, %.4f; bytes by what"
            + " is wanted %.4f, %.4f%n",
        mapOne / SCENARIOS,
        mapGrowing / SCENARIOS,
        slowdownOne / SCENARIOS,
        slowdownGrowing / SCENARIOS,
        bytesOne / SCENARIOS,
        bytesGrowing / SCENARIOS);
    assertThat(mapGrowing).isLessThan(1.01 * mapOne);
    assertThat(slowdownGrowing).isLessThan(slowdownOne + 0.01 * SCENARIOS);
    assertThat(bytesGrowing).isLessThan(1.01 * bytesOne);
  }
}
