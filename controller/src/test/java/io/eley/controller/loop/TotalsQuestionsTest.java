package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nodes are asked what they moved around each interval of a source that counts everybody. */
class TotalsQuestionsTest {
  private static final String COUNTERS = "counters";

  private final ControlRig rig = new ControlRig(BufferMode.FULL_DELAY);

  private void counters(long intervalMillis) {
    rig.loop.add(
        SourceKind.sampled(COUNTERS, 0.8, Duration.ofMillis(intervalMillis), Duration.ofSeconds(10))
            .ofTotals());
  }

  @Test
  void nodesAreAskedASlackAfterTheIntervalAndASlackBeforeTheNextBegins() {
    counters(700);
    var a = rig.node("a", 0);
    rig.timeline.advance(700);
    rig.saw(COUNTERS, Evidence.SOMEBODY, 700, 0);
    assertThat(a.permits).hasSize(1);
    rig.timeline.advance(99);
    assertThat(a.permits).as("99 ms after it").hasSize(1);
    rig.timeline.advance(1);
    assertThat(a.permits).as("100 ms after it").hasSize(2);
    rig.timeline.advance(399);
    assertThat(a.permits).as("201 ms before the next ends").hasSize(2);
    rig.timeline.advance(1);
    assertThat(a.permits).as("200 ms before the next ends").hasSize(3);
    rig.timeline.advance(5000);
    assertThat(a.permits).as("no more before the next is seen").hasSize(3);
  }

  @Test
  void aShortIntervalIsAskedAboutOnce() {
    counters(300);
    var a = rig.node("a", 0);
    rig.saw(COUNTERS, Evidence.SOMEBODY, 300, 0);
    rig.timeline.advance(5000);
    assertThat(a.permits).hasSize(2);
  }

  @Test
  void questionsAreNoDecisionsAndSayWhatHolds() {
    counters(1000);
    var a = rig.node("a", 0);
    rig.begin("ior");
    rig.saw(COUNTERS, Evidence.SOMEBODY, 1000, 0);
    rig.timeline.advance(950);
    assertThat(a.permits).hasSize(4);
    assertThat(a.permits.subList(1, 4)).allMatch(p -> p.prefetch().equals(Lane.CLOSED));
    assertThat(rig.decisions).hasSize(1);
  }

  @Test
  void aSourceOfWhatSomeApplicationsMoveAsksNobody() {
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(10)));
    var a = rig.node("a", 0);
    rig.saw("slurm", "ior", 1000, 0);
    rig.timeline.advance(5000);
    assertThat(a.permits).hasSize(1);
  }

  @Test
  void aSourceThatWasNeverAddedIsIgnored() {
    var a = rig.node("a", 0);
    rig.saw("nobody", "ior", 1000, 100_000_000);
    rig.loop.noteFailure("nobody", "why");
    rig.timeline.advance(5000);
    assertThat(a.permits).hasSize(1);
    assertThat(rig.loop.health()).hasSize(1);
    assertThat(rig.opened).isEmpty();
  }

  @Test
  void ourOwnTrafficIsNoPhase() {
    counters(1000);
    var a = rig.node("a", 0);
    for (int i = 0; i < 5; i++) {
      a.hasRead(ReadCause.PREFETCH, 100_000_000L * i);
      rig.run(1000);
      rig.saw(COUNTERS, Evidence.SOMEBODY, 1000, i == 0 ? 0 : 100_000_000);
    }
    rig.run(500);
    assertThat(rig.opened).isEmpty();
  }

  @Test
  void theAnswerToTheQuestionOpensThePhaseAtOnce() {
    counters(1000);
    var a = rig.node("a", 10);
    rig.timeline.advance(1000);
    rig.saw(COUNTERS, Evidence.SOMEBODY, 1000, 100_000_000);
    assertThat(rig.opened).as("it may be ours").isEmpty();
    rig.timeline.advance(109);
    assertThat(rig.opened).isEmpty();
    rig.timeline.advance(1);
    assertThat(rig.opened).extracting(Evidence::application).containsExactly(Evidence.SOMEBODY);
    assertThat(a.last().prefetch()).as("without a tick").isEqualTo(Lane.CLOSED);
  }

  @Test
  void aPhaseThatOnlyTheCountersSeeStaysOpenBetweenTwoIntervals() {
    counters(1000);
    rig.node("a", 10);
    for (int i = 0; i < 5; i++) {
      rig.run(1000);
      rig.saw(COUNTERS, Evidence.SOMEBODY, 1000, 100_000_000);
    }
    assertThat(rig.opened).hasSize(1);
    assertThat(rig.closed).isEmpty();
  }

  /** Every node is gone; four clients read 25 MB/s each past the buffer, and report it. */
  @Test
  void whatClientsReadPastTheBufferIsNoPhase() {
    counters(1000);
    readPastTheBuffer(10_000, 0);
    assertThat(rig.opened).isEmpty();
    assertThat(rig.loop.ourBytesPerSecond()).isBetween(90e6, 110e6);
  }

  @Test
  void anApplicationBesideClientsThatReadPastTheBufferIsSeen() {
    counters(1000);
    readPastTheBuffer(5_000, 400_000);
    assertThat(rig.opened).extracting(Evidence::application).containsExactly(Evidence.SOMEBODY);
    assertThat(rig.closed).isEmpty();
  }

  @Test
  void aClientThatIsGoneDoesNotKeepTheCountersWaiting() {
    counters(1000);
    readPastTheBuffer(3_000, 0);
    rig.run(2_000);
    rig.saw(COUNTERS, Evidence.SOMEBODY, 1000, 100_000_000);
    rig.run(100);
    rig.saw(COUNTERS, Evidence.SOMEBODY, 100, 0);
    assertThat(rig.opened).hasSize(1);
  }

  /** 100 KB a millisecond, each client reporting every 250 ms, and so much of somebody else. */
  private void readPastTheBuffer(int millis, long foreignPerMilli) {
    long total = 0;
    note(0, 0);
    long[] reported = new long[4];
    for (int ms = 1; ms <= millis; ms++) {
      rig.timeline.advance(1);
      total += 100_000;
      int client = ms / 60 % 4;
      if (ms % 60 == 0) {
        note(total / 4 - reported[client], 240);
        reported[client] = total / 4;
      }
      if (ms % 1000 == 0) {
        rig.saw(COUNTERS, Evidence.SOMEBODY, 1000, (100_000 + foreignPerMilli) * 1000);
      }
      if (ms % 100 == 0) {
        rig.loop.tick();
      }
    }
  }

  private void note(long bytes, long millis) {
    long now = rig.timeline.now();
    rig.loop.noteFallback(new PastRead(ReadCause.FALLBACK, bytes, now - millis * 1_000_000, now));
  }
}
