package io.eley.emulated.pfs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantSchedulerTest {
  private static final int MB = 1_000_000;
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  /** 200 MB/s: a request of 1 MB takes 5 ms. */
  private static GrantScheduler<String> worked() {
    return new GrantScheduler<>(200L * MB, 200L * MB, MS / 2, MB);
  }

  @Test
  void theWorkedNumbersOfTheDocumentationHold() {
    var scheduler = worked();
    scheduler.submit(0, "A", "a1", MB);
    scheduler.submit(0, "A", "a2", MB);
    scheduler.submit(0, "B", "b1", MB);
    assertThat(scheduler.due(10_599_999)).extracting("request").containsExactly("a1", "b1");
    scheduler.submit(10_600_000, "B", "b2", MB);
    assertThat(scheduler.due(SECOND))
        .containsExactly(
            new GrantScheduler.Grant<>("a2", MB, 15 * MS + MS / 2),
            new GrantScheduler.Grant<>("b2", MB, 20 * MS + MS / 2));
    assertThat(scheduler.queued()).isZero();
    assertThat(scheduler.nextNanos()).isEmpty();
  }

  @Test
  void aLoneRequestTakesItsServiceTimeAndTheLatency() {
    var scheduler = worked();
    scheduler.submit(7, "A", "a", 2 * MB);
    assertThat(scheduler.due(7 + 10 * MS + MS / 2 - 1)).isEmpty();
    assertThat(scheduler.due(7 + 10 * MS + MS / 2)).hasSize(1);
  }

  @Test
  void aStreamsLinkDelaysItsOwnRequestsAndLeavesTheServerToOthers() {
    var scheduler = new GrantScheduler<String>(200L * MB, 100L * MB, MS / 2, MB);
    scheduler.submit(0, "A", "a1", MB);
    scheduler.submit(0, "A", "a2", MB);
    scheduler.submit(0, "B", "b1", MB);
    assertThat(scheduler.due(SECOND))
        .containsExactly(
            new GrantScheduler.Grant<>("a1", MB, 10 * MS + MS / 2),
            new GrantScheduler.Grant<>("b1", MB, 15 * MS + MS / 2),
            new GrantScheduler.Grant<>("a2", MB, 20 * MS + MS / 2));
  }

  @Test
  void aGrantThatWaitsForItsLinkDoesNotHideOneThatIsStillQueued() {
    var scheduler = new GrantScheduler<String>(200L * MB, MB, 0, MB);
    scheduler.submit(0, "A", "slow", MB);
    scheduler.submit(0, "B", "quick", MB / 1000);
    assertThat(scheduler.due(0)).isEmpty();
    long next = scheduler.nextNanos().orElseThrow();
    assertThat(next).isEqualTo(5 * MS);
    assertThat(scheduler.due(next)).isEmpty();
    assertThat(scheduler.nextNanos()).hasValue(6 * MS);
    assertThat(scheduler.due(6 * MS)).extracting("request").containsExactly("quick");
    assertThat(scheduler.nextNanos()).hasValue(SECOND);
  }

  @Test
  void aCallWithoutBytesCostsTheLatencyAndWaitsForNobody() {
    var scheduler = worked();
    for (int i = 0; i < 100; i++) {
      scheduler.submit(0, "A", "data", MB);
    }
    scheduler.submit(3 * MS, "A", "call", 0);
    assertThat(scheduler.due(3 * MS + MS / 2))
        .containsExactly(new GrantScheduler.Grant<>("call", 0, 3 * MS + MS / 2));
  }

  @Test
  void theTotalEqualsTheCapacityExactly() {
    // 7 does not divide a second: what is rounded down must not add up.
    var scheduler = new GrantScheduler<Integer>(7 * 1_234_567L, Long.MAX_VALUE, 0, MB);
    int requests = 50_000;
    for (int i = 0; i < requests; i++) {
      scheduler.submit(0, i % 3, i, 1_234_567);
    }
    var grants = scheduler.due(Long.MAX_VALUE / 2);
    assertThat(grants).hasSize(requests);
    long ideal = Math.floorDiv(requests * SECOND, 7L);
    assertThat(grants.get(requests - 1).atNanos()).isEqualTo(ideal);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 16})
  void busyStreamsGetEqualShares(int streams) {
    var load = new Load(worked());
    for (int s = 0; s < streams; s++) {
      load.client("s" + s, 1 + s % 4, MB);
    }
    assertThat(shares(load.run(10 * SECOND)).values())
        .allSatisfy(share -> assertThat(share).isCloseTo(1.0 / streams, within(0.02 / streams)));
  }

  @Test
  void oneOutstandingRequestGetsAsMuchAsMany() {
    var load = new Load(worked());
    load.client("one", 1, MB);
    load.client("many", 64, MB);
    assertThat(shares(load.run(10 * SECOND)).get("one")).isCloseTo(0.5, within(0.01));
  }

  @Test
  void smallRequestsGetAsMuchAsLargeOnes() {
    var load = new Load(worked());
    load.client("small", 64, 50_000);
    load.client("large", 2, MB);
    assertThat(shares(load.run(10 * SECOND)).get("small")).isCloseTo(0.5, within(0.01));
  }

  @Test
  void requestsLargerThanTheQuantumStillGetOnlyTheirShare() {
    var load = new Load(new GrantScheduler<>(200L * MB, 200L * MB, MS / 2, MB / 10));
    load.client("large", 4, MB);
    load.client("small", 20, MB / 10);
    assertThat(shares(load.run(10 * SECOND)).get("large")).isCloseTo(0.5, within(0.01));
  }

  @Test
  void capacityThatOneStreamLeavesGoesToTheOthers() {
    var load = new Load(worked());
    load.client("alone", 8, MB);
    assertThat(load.run(10 * SECOND).get("alone")).isCloseTo(2000L * MB, within(2L * MB));
  }

  @Test
  void aLateWakeUpLosesNoCapacityWhileRequestsQueue() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed " + seed);
    var random = new Random(seed);
    var punctual = worked();
    var late = worked();
    var punctualGrants = new ArrayList<GrantScheduler.Grant<String>>();
    var lateGrants = new ArrayList<GrantScheduler.Grant<String>>();
    long now = 0;
    for (int i = 0; i < 2000; i++) {
      now += random.nextLong(8 * MS);
      String stream = "s" + random.nextInt(5);
      int bytes = random.nextInt(2 * MB);
      OptionalLong next = punctual.nextNanos();
      while (next.isPresent() && next.getAsLong() < now) {
        punctualGrants.addAll(punctual.due(next.getAsLong()));
        next = punctual.nextNanos();
      }
      punctual.submit(now, stream, "r" + i, bytes);
      late.submit(now, stream, "r" + i, bytes);
      if (random.nextInt(20) == 0) {
        lateGrants.addAll(late.due(now));
      }
    }
    punctualGrants.addAll(punctual.due(Long.MAX_VALUE / 2));
    lateGrants.addAll(late.due(Long.MAX_VALUE / 2));
    assertThat(lateGrants).hasSize(2000).containsExactlyElementsOf(punctualGrants);
  }

  @Test
  void theServerIsIdleOnlyWhileNothingIsQueued() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed " + seed);
    var random = new Random(seed);
    var scheduler = new GrantScheduler<Integer>(1000, 1000, 0, 100);
    long now = 0;
    long busyUntil = 0;
    for (int i = 0; i < 5000; i++) {
      now += random.nextLong(150 * MS);
      int bytes = 1 + random.nextInt(200);
      scheduler.submit(now, random.nextInt(7), i, bytes);
      busyUntil = Math.max(busyUntil, now) + bytes * MS;
    }
    var grants = scheduler.due(Long.MAX_VALUE / 2);
    assertThat(grants).hasSize(5000);
    assertThat(grants.get(4999).atNanos()).isEqualTo(busyUntil);
  }

  @Test
  void aForgottenStreamFreesItsPlaceForTheOthers() {
    var scheduler = worked();
    for (int i = 0; i < 100; i++) {
      scheduler.submit(0, "gone", "g" + i, MB);
    }
    scheduler.submit(0, "stays", "s", MB);
    assertThat(scheduler.due(MS)).isEmpty();
    scheduler.forget("gone"::equals);
    assertThat(scheduler.due(SECOND)).extracting("request").containsExactly("g0", "s");
    assertThat(scheduler.queued()).isZero();
  }

  @Test
  void nonsenseIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new GrantScheduler<>(0, 1, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> worked().submit(0, "A", "a", -1));
  }

  private static Map<String, Double> shares(Map<String, Long> bytes) {
    long total = bytes.values().stream().mapToLong(Long::longValue).sum();
    var shares = new HashMap<String, Double>();
    bytes.forEach((client, count) -> shares.put(client, (double) count / total));
    return shares;
  }

  /** Closed-loop clients in virtual time: each grant is followed by the next request 0.2 ms on. */
  private static final class Load {
    private static final long THINK_NANOS = MS / 5;

    private final GrantScheduler<String> scheduler;
    private final Map<String, Long> moved = new HashMap<>();
    private final Map<String, Integer> sizes = new HashMap<>();
    private final List<Runnable> starts = new ArrayList<>();

    Load(GrantScheduler<String> scheduler) {
      this.scheduler = scheduler;
    }

    void client(String name, int outstanding, int bytes) {
      sizes.put(name, bytes);
      moved.put(name, 0L);
      for (int i = 0; i < outstanding; i++) {
        starts.add(() -> scheduler.submit(0, name, name, bytes));
      }
    }

    Map<String, Long> run(long untilNanos) {
      starts.forEach(Runnable::run);
      var thinking = new java.util.TreeMap<Long, List<String>>();
      long now = 0;
      while (now < untilNanos) {
        long grant = scheduler.nextNanos().orElse(Long.MAX_VALUE);
        long submit = thinking.isEmpty() ? Long.MAX_VALUE : thinking.firstKey();
        now = Math.min(grant, submit);
        for (var granted : scheduler.due(now)) {
          moved.merge(granted.request(), (long) granted.bytes(), Long::sum);
          thinking
              .computeIfAbsent(now + THINK_NANOS, t -> new ArrayList<>())
              .add(granted.request());
        }
        if (submit == now) {
          for (String name : thinking.remove(now)) {
            scheduler.submit(now, name, name, requireNonNull(sizes.get(name)));
          }
        }
      }
      return moved;
    }
  }
}
