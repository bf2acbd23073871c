package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random clusters with lost messages, skewed clocks and dying nodes keep every promise. */
@Tag("slow")
@Timeout(600)
class RandomScenariosTest {
  private static final int SCENARIOS = Integer.getInteger("eley.test.scenarios", 10_000);

  /** Blocks as a site sets them for Alluxio. */
  private static final BlockGeometry OF_ENGINE = new BlockGeometry(4 << 20, 1 << 20);

  /** With nodes of our own, and with those whose blocks are in another engine. */
  private static Scenario scenario(long seed, boolean ofEngine) {
    return ofEngine ? Scenario.random(seed, OF_ENGINE) : Scenario.random(seed);
  }

  private static Simulation.Outcome run(Scenario scenario, boolean ofEngine) {
    SimNode.Maker maker = ofEngine ? SimEngineNode::new : SimOwnNode::new;
    return new Simulation(scenario, List.of(), InputLog.NONE, maker).run();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyScenarioKeepsEveryPromise(boolean ofEngine) {
    long base = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    boolean one = Long.getLong("eley.test.seed") != null;
    System.out.println("seed of the scenarios (-Deley.test.seed=...): " + base);
    var bytes = new EnumMap<ReadCause, Long>(ReadCause.class);
    var phases = new EnumMap<BufferMode, Integer>(BufferMode.class);
    var operators = new TreeMap<String, Integer>();
    int forecasts = 0;
    for (int i = 0; i < (one ? 1 : SCENARIOS); i++) {
      var scenario = scenario(base + i, ofEngine);
      Simulation.Outcome outcome;
      try {
        outcome = run(scenario, ofEngine);
      } catch (RuntimeException e) {
        throw new AssertionError("replay with -Deley.test.seed=" + (base + i), e);
      }
      assertThat(outcome.breaches()).as("replay with -Deley.test.seed=%s", base + i).isEmpty();
      assertThat(outcome.longestWaitSeconds())
          .as("replay with -Deley.test.seed=%s", base + i)
          .isLessThan(longestWait(scenario));
      outcome.bytes().forEach((cause, count) -> bytes.merge(cause, count, Long::sum));
      outcome.entries().forEach(e -> operators.merge(e.operator(), 1, Integer::sum));
      forecasts += outcome.scores().hits();
      phases.merge(
          scenario.mode(), outcome.phases().stream().mapToInt(List::size).sum(), Integer::sum);
    }
    System.out.println(
        "bytes by cause: "
            + bytes
            + "; phases by mode: "
            + phases
            + "; by operator: "
            + operators
            + "; foreseen: "
            + forecasts);
    if (!one) {
      assertThat(bytes.keySet()).contains(ReadCause.PREFETCH, ReadCause.DEMAND, ReadCause.FALLBACK);
      assertThat(phases.values()).allMatch(count -> count > SCENARIOS / 10);
      assertThat(operators.keySet()).contains("no-action", "full-delay", "partial-delay");
      assertThat(forecasts).isPositive();
    }
  }

  /**
   * A permit that was lost (2 s), a hold (delay.max) and once more after the node heard nothing;
   * then all tasks' blocks at the capped rate, which is a block a second for each node, behind what
   * is under way on a file system that everybody shares; a dead node is noticed after 3 s. Where
   * holds and gaps alternate, tasks are shut out for four times the gaps they use (HoldAge).
   */
  private static double longestWait(Scenario s) {
    double block = s.nodes().geometry().blockSize();
    int tasks = s.spark().stream().mapToInt(Scenario.SparkJob::slots).sum();
    int streams =
        tasks
            + s.nodes().count() * s.nodes().fetchers()
            + s.hpc().stream().mapToInt(Scenario.HpcLoad::processes).sum();
    double shared =
        tasks
            * block
            / Math.min(s.origin().streamBytesPerSecond(), s.origin().bytesPerSecond() / streams);
    return 5 + 2 * s.control().delayMax().toMillis() / 1e3 + tasks + 5 * shared;
  }

  /** A phase of one or the other application nearly all the time, with gaps of 0.4 s. */
  @Test
  void shortGapsBetweenPhasesDoNotStarveTasks() {
    var outcome = new Simulation(Scenario.random(10761509851456L)).run();
    assertThat(outcome.breaches()).isEmpty();
    assertThat(outcome.longestWaitSeconds())
        .as("33 s when each gap began a new hold")
        .isLessThan(15);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSameSeedGivesTheSameRun(boolean ofEngine) {
    for (long seed = 1; seed <= 20; seed++) {
      var first = run(scenario(seed, ofEngine), ofEngine);
      var second = run(scenario(seed, ofEngine), ofEngine);
      assertThat(second.mapSeconds()).isEqualTo(first.mapSeconds());
      assertThat(second.bytes()).isEqualTo(first.bytes());
      assertThat(second.steps()).isEqualTo(first.steps());
    }
  }

  @Test
  void theWatchSeesABrokenGate() {
    var watch = new Watch(Duration.ofSeconds(1));
    watch.checkChunk("n", new Watch.NodePermit(), ReadCause.PREFETCH, 1, 0);
    watch.checkUsed("n", 2, 1, 0);
    assertThat(watch.breaches()).hasSize(2);
    var closed = new Watch.NodePermit();
    closed.notePermit(new Permit(1, Lane.CLOSED, Lane.OPEN, Duration.ofSeconds(2), "a phase"), 0);
    watch.checkTail("n", closed, ReadCause.PREFETCH, 4, 4, 0);
    assertThat(watch.breaches()).hasSize(2);
    watch.checkTail("n", closed, ReadCause.PREFETCH, 1, 4, 0);
    assertThat(watch.breaches()).hasSize(3);
    assertThat(Map.copyOf(watch.bytes())).containsEntry(ReadCause.PREFETCH, 1L);
  }
}
