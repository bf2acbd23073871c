package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reading past the buffer is origin traffic: under a leave, or under a cap of one's own. */
@Timeout(60)
class FallbackGateTest {
  private static final int MIB = 1 << 20;
  private static final Duration LIFE = Duration.ofMillis(500);
  private final List<Long> reported = new CopyOnWriteArrayList<>();
  private volatile long allowed = Lane.UNLIMITED;

  private FallbackLane answer(PastBytes.Report moved) {
    reported.add(moved.bytes());
    return new FallbackLane(allowed, LIFE);
  }

  private static FallbackGate gate(FallbackGate.Coordinator coordinator, long cap) {
    return gate(coordinator, cap, Duration.ofHours(1));
  }

  private static FallbackGate gate(
      FallbackGate.Coordinator coordinator, long cap, Duration delayMax) {
    return new FallbackGate(coordinator, new ClientOptions.Alone(new DataSize(cap), delayMax));
  }

  /** A coordinator that gives these rates, and is away where there is none. */
  private FallbackGate.Coordinator gives(List<Optional<Long>> rates) {
    return moved -> {
      int asked = reported.size();
      reported.add(moved.bytes());
      long rate =
          rates
              .get(Math.min(asked, rates.size() - 1))
              .orElseThrow(() -> new EleyException(ErrorCode.UNAVAILABLE, "away"));
      return new FallbackLane(rate, Duration.ofMillis(10));
    };
  }

  @Test
  void aHoldOutlivesTheCoordinatorUntilItHasLastedLongEnough() throws Exception {
    var most = Duration.ofMillis(1500);
    var dies = gives(List.of(Optional.of(0L), Optional.empty()));
    try (var gate = gate(dies, 16L * MIB, most)) {
      long began = System.nanoTime();
      gate.enter(MIB);
      assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(most.toNanos());
      assertThat(reported).as("questions, one a second").hasSizeBetween(2, 5);
      for (int i = 0; i < 8; i++) {
        gate.enter(MIB);
      }
      // One MiB each 62.5 ms from the hold's end on, when the bucket has saved nothing.
      assertThat(System.nanoTime() - began)
          .as("at the own cap")
          .isGreaterThan(most.toNanos() + 450_000_000L);
    }
  }

  @Test
  void aCoordinatorThatIsBackEndsTheHoldThatWasHeardLast() throws Exception {
    var restarts = gives(List.of(Optional.of(0L), Optional.empty(), Optional.of(Lane.UNLIMITED)));
    try (var gate = gate(restarts, MIB)) {
      gate.enter(MIB);
      assertThat(reported).hasSize(3);
    }
  }

  @Test
  void aHoldThatWasOverIsNoneWhenTheCoordinatorGoes() throws Exception {
    var dies = gives(List.of(Optional.of(0L), Optional.of(16L * MIB), Optional.empty()));
    try (var gate = gate(dies, 16L * MIB)) {
      while (reported.size() < 3) {
        gate.enter(MIB);
      }
      gate.enter(MIB);
    }
  }

  @Test
  void whileNobodyAnswersTheOwnCapHolds() throws Exception {
    FallbackGate.Coordinator nobody =
        moved -> {
          throw new EleyException(ErrorCode.UNAVAILABLE, "away");
        };
    try (var gate = gate(nobody, 16L * MIB)) {
      long began = System.nanoTime();
      for (int i = 0; i < 9; i++) {
        gate.enter(MIB);
      }
      // One MiB each 62.5 ms, but for the first and what a bucket saves up.
      assertThat(System.nanoTime() - began).isGreaterThan(350_000_000L);
    }
  }

  @Test
  void aHoldLetsNothingThroughUntilItIsOver() throws Exception {
    allowed = 0;
    try (var gate = gate(this::answer, MIB)) {
      var entered = CompletableFuture.runAsync(() -> unchecked(() -> gate.enter(MIB)));
      await().until(() -> reported.size() >= 2);
      assertThat(entered).isNotDone();
      allowed = Lane.UNLIMITED;
      entered.get();
    }
  }

  @Test
  void whatIsReadIsReportedSoonAndTheRestOnClosing() throws Exception {
    try (var gate = gate(this::answer, MIB)) {
      gate.enter(100);
      gate.count(100, System.nanoTime());
      await().until(() -> reported.contains(100L));
      gate.count(50, System.nanoTime());
    }
    // Where it was due at that moment it is made by the thread of the reports.
    await().untilAsserted(() -> assertThat(reported).endsWith(150L));
  }

  @Test
  void whatNobodyTookIsReportedWhenSomebodyAnswersAgain() throws Exception {
    var away = new AtomicBoolean(true);
    FallbackGate.Coordinator restarting =
        moved -> {
          if (away.get()) {
            throw new EleyException(ErrorCode.UNAVAILABLE, "away");
          }
          assertThat(moved.answered()).isZero();
          return answer(moved);
        };
    try (var gate = gate(restarting, MIB)) {
      gate.enter(100);
      gate.count(100, System.nanoTime());
      await().during(Duration.ofMillis(500)).until(reported::isEmpty);
      away.set(false);
      await().until(() -> reported.contains(100L));
    }
  }

  @Test
  void whatNobodyTakesIsReportedAgainAndAgain() throws Exception {
    var failures = new AtomicInteger();
    FallbackGate.Coordinator restarting =
        moved -> {
          if (moved.bytes() > 0 && failures.incrementAndGet() <= 2) {
            throw new EleyException(ErrorCode.UNAVAILABLE, "away");
          }
          return answer(moved);
        };
    try (var gate = gate(restarting, MIB)) {
      gate.count(100, System.nanoTime());
      await().until(() -> reported.contains(100L));
      assertThat(failures).hasValue(3);
    }
  }

  @Test
  void aReportRenewsTheLeaveSoThatReadersSeldomAsk() throws Exception {
    try (var gate = gate(this::answer, MIB)) {
      long began = System.nanoTime();
      for (int i = 0; i < 1000; i++) {
        gate.enter(10);
        gate.count(10, System.nanoTime());
      }
      // At once on a quiet machine; reports go on where it takes longer.
      long lives = (System.nanoTime() - began) / LIFE.toNanos();
      assertThat((long) reported.size()).isLessThan(10 + 10 * lives);
    }
  }

  @Test
  void aCoordinatorIsToldWhatIsKnownAlreadyAndNothingWithoutNews() throws Exception {
    var asked = new CopyOnWriteArrayList<String>();
    FallbackGate.Coordinator coordinator =
        moved -> {
          asked.add(moved.bytes() + " of which " + moved.answered());
          return new FallbackLane(Lane.UNLIMITED, Duration.ofMinutes(1));
        };
    try (var gate = gate(coordinator, MIB)) {
      gate.enter(100);
      synchronized (gate) { // no report comes between them
        gate.count(60, System.nanoTime());
        gate.count(40, System.nanoTime());
      }
      await().until(() -> asked.size() == 2);
      gate.count(50, System.nanoTime());
      await().until(() -> asked.size() == 3);
    }
    assertThat(asked).containsExactly("0 of which 0", "100 of which 0", "150 of which 100");
  }

  @Test
  void aRateThatTheCoordinatorGivesIsObeyed() throws Exception {
    allowed = 16L * MIB;
    try (var gate = gate(this::answer, 1000L * MIB)) {
      long began = System.nanoTime();
      for (int i = 0; i < 9; i++) {
        gate.enter(MIB);
      }
      assertThat(System.nanoTime() - began).isGreaterThan(350_000_000L);
    }
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    allowed = 0;
    try (var gate = gate(this::answer, MIB)) {
      Thread.currentThread().interrupt();
      failsWith(ErrorCode.INTERRUPTED, () -> gate.enter(1));
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aReadOfAFilePassesTheGateAndIsReported(@TempDir Path temp) throws Exception {
    try (var deployment = new FakeDeployment(temp)) {
      var content = new byte[3 * MIB];
      new Random(5).nextBytes(content);
      Files.write(deployment.origin.resolve("f"), content);
      deployment.allowFallback(0);
      var client = deployment.client(Map.of());
      var file = client.openFile("/f");
      var target = ByteBuffer.allocate(3 * MIB);
      var read = CompletableFuture.runAsync(() -> unchecked(() -> file.readFully(0, target)));
      await().until(() -> deployment.asked(AskFallback.class) >= 2);
      assertThat(client.counters().bytes(ClientCounters.Source.FALLBACK)).isZero();
      deployment.allowFallback(Lane.UNLIMITED);
      read.get();
      assertThat(target.array()).isEqualTo(content);
      await()
          .until(
              () ->
                  deployment.coordinator().requests().stream()
                      .anyMatch(m -> m instanceof AskFallback ask && ask.bytes() == 3 * MIB));
      file.close();
    }
  }

  @Test
  void whatIsReadOnPurposeAsksAndIsReportedAsThat(@TempDir Path temp) throws Exception {
    try (var deployment = new FakeDeployment(temp)) {
      Files.write(deployment.origin.resolve("f"), new byte[3 * MIB]);
      deployment.view(BufferMode.NAIVE_BB);
      deployment.allowFallback(0);
      var client = deployment.client(Map.of());
      try (var file = client.openFile("/f")) {
        var read =
            CompletableFuture.runAsync(
                () -> unchecked(() -> file.readFully(0, ByteBuffer.allocate(3 * MIB))));
        await().until(() -> deployment.asked(AskFallback.class) >= 2);
        assertThat(client.counters().bytes(ClientCounters.Source.DIRECT)).isZero();
        deployment.allowFallback(Lane.UNLIMITED);
        read.get();
        await().until(() -> reported(deployment, ReadCause.DIRECT, 3 * MIB));
      }
      assertThat(reported(deployment, ReadCause.FALLBACK, 3 * MIB)).isFalse();
    }
  }

  @Test
  void whatIsReadOnPurposeIsCappedWhenTheCoordinatorIsGone(@TempDir Path temp) throws Exception {
    try (var deployment = new FakeDeployment(temp)) {
      Files.write(deployment.origin.resolve("f"), new byte[9 * MIB]);
      deployment.view(BufferMode.NAIVE_BB);
      var client = deployment.client(Map.of("eley.client.fallback-rate", "16m"));
      try (var file = client.openFile("/f")) {
        assertThat(client.view()).isPresent();
        deployment.stopCoordinator();
        long began = System.nanoTime();
        file.readFully(0, ByteBuffer.allocate(9 * MIB));
        // One MiB each 62.5 ms, but for the first, what a bucket saves up.
        assertThat(System.nanoTime() - began).isGreaterThan(350_000_000L);
      }
    }
  }

  @Test
  void aClientOfTheOriginAloneHasNobodyToAskAndNoCap(@TempDir Path temp) throws Exception {
    Files.write(temp.resolve("f"), new byte[9 * MIB]);
    var alone = Map.of("eley.client.origin", temp.toString(), "eley.client.fallback-rate", "64k");
    try (var client = EleyClient.open(ClientOptions.from(Settings.of(alone)));
        var file = client.openFile("/f")) {
      assertThat(client.gate(ReadCause.DIRECT)).isEmpty();
      file.readFully(0, ByteBuffer.allocate(9 * MIB)); // 144 s at the cap
    }
  }

  @Test
  void whatIsWrittenAsksAndIsReported(@TempDir Path temp) throws Exception {
    try (var deployment = new FakeDeployment(temp)) {
      deployment.allowFallback(0);
      var client = deployment.client(Map.of());
      var written = CompletableFuture.runAsync(() -> unchecked(() -> client.awaitWrite(MIB)));
      await().until(() -> deployment.asked(AskFallback.class) >= 2);
      assertThat(written).isNotDone();
      deployment.allowFallback(Lane.UNLIMITED);
      written.get();
      client.countWritten(MIB, System.nanoTime());
      await().until(() -> reported(deployment, ReadCause.WRITE, MIB));
    }
  }

  private static boolean reported(FakeDeployment deployment, ReadCause cause, long bytes) {
    return deployment.coordinator().requests().stream()
        .anyMatch(
            m -> m instanceof AskFallback ask && ask.cause() == cause && ask.bytes() == bytes);
  }

  private interface Step {
    void run() throws Exception;
  }

  private static void unchecked(Step step) {
    try {
      step.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
