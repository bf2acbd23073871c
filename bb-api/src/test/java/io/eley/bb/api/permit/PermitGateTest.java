package io.eley.bb.api.permit;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PermitGateTest {
  private static final int MIB = 1 << 20;
  private static final ReadCause PREFETCH = ReadCause.PREFETCH;
  private static final ReadCause DEMAND = ReadCause.DEMAND;

  /** Near the overflow of nanoTime, which may be anywhere. */
  private long now = Long.MAX_VALUE - 1000;

  private final PermitGate gate = new PermitGate(Duration.ofSeconds(60), 16L * MIB, 4, () -> now);

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static Permit permit(long sequence, Lane prefetch, Lane demand) {
    return new Permit(sequence, prefetch, demand, Duration.ofSeconds(2), "test");
  }

  /** Chunks that go if one asks each millisecond, each over at once. */
  private int chunksWithin(ReadCause cause, long millis) {
    int chunks = 0;
    for (long t = 0; t < millis; t++) {
      while (gate.tryEnter(cause, MIB)) {
        chunks++;
        gate.leave(cause, MIB);
      }
      pass(1);
    }
    return chunks;
  }

  @Test
  void isClosedBeforeTheFirstPermit() {
    assertThat(gate.live()).isFalse();
    assertThat(gate.sequence()).isZero();
    assertThat(gate.tryEnter(PREFETCH, 0)).isFalse();
    assertThat(gate.tryEnter(ReadCause.READ_AHEAD, 0)).isFalse();
    assertThat(gate.tryEnter(DEMAND, 0)).isFalse();
    assertThat(gate.nanosUntilOpen(PREFETCH)).isEqualTo(PermitGate.NEVER);
    assertThat(gate.nanosUntilOpen(DEMAND)).isEqualTo(TimeUnit.SECONDS.toNanos(60));
  }

  /** As with scale-up: more prefetches at once than usual, and nothing said of demand. */
  @Test
  void demandGetsThePlaceOfAPrefetchThatIsOverAlsoWhereMoreThanUsualGoAtOnce() {
    gate.apply(permit(1, new Lane(Lane.UNLIMITED, 8), Lane.OPEN));
    for (int underWay = 1; underWay < 8; underWay++) {
      enterAll(PREFETCH);
      gate.leave(PREFETCH, MIB);
    }
    assertThat(enterAll(PREFETCH)).as("seven are under way").isEqualTo(2);
    assertThat(gate.tryEnter(DEMAND, MIB)).as("eight are").isFalse();
    gate.leave(PREFETCH, MIB);
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
    assertThat(gate.tryEnter(DEMAND, MIB)).isFalse();
  }

  @Test
  void aTestOfTheOriginIsOneChunkOfWhicheverLaneComesFirst() {
    gate.apply(permit(1, Lane.test(1), Lane.test(1)));
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
    gate.leave(DEMAND, MIB);
    assertThat(gate.tryEnter(DEMAND, MIB)).isFalse();
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
    gate.apply(permit(2, Lane.test(1), Lane.test(1)));
    assertThat(gate.tryEnter(PREFETCH, MIB)).isTrue();
    assertThat(gate.tryEnter(DEMAND, MIB)).isFalse();
    gate.apply(permit(3, Lane.test(1), Lane.test(1)));
    assertThat(gate.tryEnter(DEMAND, MIB)).as("the last one is under way").isFalse();
    gate.leave(PREFETCH, MIB);
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
  }

  @Test
  void demandBehindATestThatNoPermitFollowsGoesOnAtTheCappedRate() {
    gate.apply(permit(1, Lane.test(1), Lane.test(1)));
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
    gate.leave(DEMAND, MIB);
    assertThat(gate.nanosUntilOpen(DEMAND)).isEqualTo(TimeUnit.SECONDS.toNanos(62));
    assertThat(gate.nanosUntilOpen(PREFETCH)).isEqualTo(PermitGate.NEVER);
    pass(61_999);
    assertThat(gate.tryEnter(DEMAND, MIB)).isFalse();
    pass(1);
    assertThat(gate.nanosUntilOpen(DEMAND)).isZero();
    assertThat(chunksWithin(DEMAND, 10_000)).isBetween(160, 163);
    assertThat(chunksWithin(PREFETCH, 1000)).isZero();
  }

  @Test
  void aFullLaneAtTheCappedRateIsOpenedByTheEndOfAChunkAlone() {
    pass(60_000);
    for (int i = 0; i < 4; i++) {
      assertThat(gate.tryEnter(DEMAND, 0)).isTrue();
    }
    assertThat(gate.nanosUntilOpen(DEMAND)).isEqualTo(PermitGate.NEVER);
    gate.leave(DEMAND, 0);
    assertThat(gate.nanosUntilOpen(DEMAND)).isZero();
  }

  private int enterAll(ReadCause cause) {
    int entered = 0;
    while (entered < 100 && gate.tryEnter(cause, MIB)) {
      entered++;
    }
    return entered;
  }

  @Test
  void afterASilenceOneChunkGoesFirstAndOneMoreAtOnceWithEachThatIsOver() {
    gate.apply(permit(1, new Lane(Lane.UNLIMITED, 3), new Lane(Lane.UNLIMITED, 3)));
    assertThat(gate.tryEnter(PREFETCH, 0)).as("the file is opened").isTrue();
    assertThat(gate.tryEnter(PREFETCH, 0)).isFalse();
    gate.leave(PREFETCH, 0);
    assertThat(enterAll(PREFETCH)).isEqualTo(1);
    assertThat(enterAll(DEMAND)).as("who is waited for does not wait").isEqualTo(3);
    gate.leave(PREFETCH, MIB);
    assertThat(enterAll(PREFETCH)).isEqualTo(2);
    gate.leave(PREFETCH, MIB);
    assertThat(enterAll(PREFETCH)).as("three, one of them under way").isEqualTo(2);
    for (int i = 0; i < 3; i++) {
      gate.leave(PREFETCH, MIB);
    }
    pass(249);
    assertThat(enterAll(PREFETCH)).as("a moment later").isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      gate.leave(PREFETCH, MIB);
    }
    pass(250);
    assertThat(enterAll(PREFETCH)).isEqualTo(1);
  }

  @Test
  void aTestBesideAnOpenDemandLaneIsOfPrefetchingAlone() {
    gate.apply(permit(1, Lane.test(1), Lane.OPEN));
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
    assertThat(gate.tryEnter(PREFETCH, MIB)).isTrue();
    gate.leave(PREFETCH, MIB);
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
  }

  @Test
  void nodesWithoutACoordinatorShareTheCappedRate() {
    pass(60_000);
    int alone = chunksWithin(DEMAND, 4000);
    gate.shareCappedRate(4);
    pass(4000);
    assertThat(chunksWithin(DEMAND, 16_000)).isBetween(alone - 2, alone + 2);
  }

  @Test
  void opensAndClosesLanesSeparately() {
    gate.apply(permit(1, Lane.CLOSED, Lane.OPEN));
    assertThat(gate.prefetchOpen()).isFalse();
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
    gate.apply(permit(2, Lane.OPEN, Lane.CLOSED));
    assertThat(gate.prefetchOpen()).isTrue();
    assertThat(gate.tryEnter(ReadCause.READ_AHEAD, MIB)).isTrue();
    assertThat(gate.tryEnter(DEMAND, MIB)).isFalse();
    gate.apply(permit(3, Lane.CLOSED, Lane.CLOSED));
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
    assertThat(gate.sequence()).isEqualTo(3);
  }

  @Test
  void ignoresAnOlderPermitThatArrivesLate() {
    gate.apply(permit(5, Lane.CLOSED, Lane.CLOSED));
    assertThat(gate.apply(permit(4, Lane.OPEN, Lane.OPEN))).isFalse();
    assertThat(gate.apply(permit(5, Lane.OPEN, Lane.OPEN))).isFalse();
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
    assertThat(gate.sequence()).isEqualTo(5);
  }

  @Test
  void takesTheFirstPermitOfANewCoordinatorWhateverItsNumber() {
    gate.apply(permit(500, Lane.OPEN, Lane.OPEN));
    gate.acceptNewIssuer();
    assertThat(gate.prefetchOpen()).isTrue();
    assertThat(gate.sequence()).as("of the new one: it has granted none").isZero();
    assertThat(gate.apply(permit(1, Lane.CLOSED, Lane.CLOSED))).isTrue();
    assertThat(gate.prefetchOpen()).isFalse();
    assertThat(gate.apply(permit(1, Lane.OPEN, Lane.OPEN))).isFalse();
  }

  @Test
  void lapsesAndThenLetsDemandGoAtTheCappedRateOnly() {
    gate.apply(permit(1, Lane.OPEN, Lane.OPEN));
    pass(1999);
    assertThat(gate.tryEnter(PREFETCH, MIB)).isTrue();
    gate.leave(PREFETCH, MIB);
    pass(1);
    assertThat(gate.live()).isFalse();
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
    assertThat(gate.nanosUntilOpen(DEMAND)).isEqualTo(TimeUnit.SECONDS.toNanos(60));
    assertThat(chunksWithin(DEMAND, 60_000)).isZero();
    // 16 a second, and what a bucket may save: 0.1 s and one chunk.
    assertThat(chunksWithin(DEMAND, 10_000)).isBetween(160, 163);
    assertThat(chunksWithin(PREFETCH, 1000)).isZero();
    gate.apply(permit(2, Lane.OPEN, Lane.OPEN));
    assertThat(gate.tryEnter(PREFETCH, MIB)).isTrue();
  }

  @Test
  void isUnheardWhenItsPermitHasLapsedUnlessThatWasAHold() {
    var grace = Duration.ofMillis(200);
    assertThat(gate.unheard(grace)).as("just begun").isFalse();
    pass(200);
    assertThat(gate.unheard(grace)).as("never heard anything").isTrue();
    gate.apply(permit(1, Lane.CLOSED, Lane.OPEN));
    pass(2199);
    assertThat(gate.unheard(grace)).isFalse();
    pass(1);
    assertThat(gate.unheard(grace)).isTrue();
    gate.apply(permit(2, Lane.CLOSED, Lane.CLOSED));
    assertThat(gate.unheard(grace)).as("held").isFalse();
    pass(30_000);
    assertThat(gate.unheard(grace)).as("a phase may still be under way").isFalse();
  }

  @Test
  void tellsWhenAHeldDemandWillOpenIfNoPermitComes() {
    gate.apply(permit(1, Lane.CLOSED, Lane.CLOSED));
    assertThat(gate.nanosUntilOpen(DEMAND)).isEqualTo(TimeUnit.SECONDS.toNanos(62));
    assertThat(gate.nanosUntilOpen(PREFETCH)).isEqualTo(PermitGate.NEVER);
  }

  @Test
  void keepsTheRateOverRenewedPermitsAndIdleTime() {
    var lane = new Lane(100L * MIB, 4);
    int chunks = 0;
    for (int i = 1; i <= 20; i++) {
      gate.apply(permit(i, lane, Lane.CLOSED));
      chunks += chunksWithin(PREFETCH, 500);
    }
    assertThat(chunks).isBetween(1000, 1011);
    gate.apply(permit(21, lane, Lane.CLOSED));
    pass(1900);
    // Idle time does not save up more than 0.1 s.
    assertThat(chunksWithin(PREFETCH, 1)).isBetween(10, 12);
  }

  @Test
  void limitsTheChunksUnderWayOfEachLane() {
    gate.apply(permit(1, new Lane(Lane.UNLIMITED, 2), new Lane(Lane.UNLIMITED, 1)));
    assertThat(gate.tryEnter(PREFETCH, MIB)).as("the first after a silence").isTrue();
    gate.leave(PREFETCH, MIB);
    assertThat(gate.tryEnter(PREFETCH, MIB)).isTrue();
    assertThat(gate.tryEnter(ReadCause.READ_AHEAD, MIB)).isTrue();
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
    assertThat(gate.nanosUntilOpen(PREFETCH)).isEqualTo(PermitGate.NEVER);
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
    assertThat(gate.tryEnter(DEMAND, MIB)).isFalse();
    gate.leave(PREFETCH, MIB);
    assertThat(gate.tryEnter(PREFETCH, MIB)).isTrue();
    gate.apply(permit(2, new Lane(Lane.UNLIMITED, 1), Lane.OPEN));
    gate.leave(PREFETCH, MIB);
    assertThat(gate.tryEnter(PREFETCH, MIB)).isFalse();
  }

  @Test
  void aTestLaneLetsItsBytesThroughOnceAPermit() {
    gate.apply(permit(1, Lane.test(MIB), Lane.CLOSED));
    assertThat(gate.tryEnter(PREFETCH, 0)).as("opening the file reads nothing").isTrue();
    gate.leave(PREFETCH, 0);
    assertThat(gate.tryEnter(PREFETCH, MIB)).isTrue();
    gate.leave(PREFETCH, MIB);
    assertThat(gate.tryEnter(PREFETCH, 0)).isFalse();
    assertThat(gate.nanosUntilOpen(PREFETCH)).isEqualTo(PermitGate.NEVER);
    gate.apply(permit(2, Lane.test(MIB), Lane.CLOSED));
    assertThat(chunksWithin(PREFETCH, 1000)).isOne();
  }

  @Test
  void knowsTheBytesThatAHoldCannotStop() {
    gate.apply(permit(1, new Lane(Lane.UNLIMITED, 2), new Lane(Lane.UNLIMITED, 2)));
    assertThat(gate.tryEnter(PREFETCH, 7)).isTrue();
    assertThat(gate.tryEnter(DEMAND, MIB)).isTrue();
    assertThat(gate.tryEnter(ReadCause.READ_AHEAD, 5)).as("the first is under way").isFalse();
    gate.apply(permit(2, Lane.CLOSED, Lane.CLOSED));
    assertThat(gate.bytesUnderWay()).isEqualTo(MIB + 7);
    gate.leave(DEMAND, MIB);
    assertThat(gate.bytesUnderWay()).isEqualTo(7);
    gate.leave(PREFETCH, 7);
    assertThat(gate.bytesUnderWay()).isZero();
  }

  @Test
  void livesForeverWhenToldSo() {
    gate.apply(new Permit(1, Lane.OPEN, Lane.OPEN, Duration.ofSeconds(Long.MAX_VALUE), "for ever"));
    pass(TimeUnit.DAYS.toMillis(3650));
    assertThat(gate.tryEnter(PREFETCH, MIB)).isTrue();
  }

  @Test
  void tellsOfEachPermitThatIsApplied() {
    var changes = new AtomicInteger();
    gate.setListener(changes::incrementAndGet);
    gate.apply(permit(2, Lane.OPEN, Lane.OPEN));
    gate.apply(permit(1, Lane.OPEN, Lane.OPEN));
    assertThat(changes).hasValue(1);
  }
}
