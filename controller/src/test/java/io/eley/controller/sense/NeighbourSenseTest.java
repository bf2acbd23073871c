package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadTime;
import io.eley.controller.sense.CarrierSense.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Another deployment of ours makes our reads longer as an HPC application does, but it says so. */
class NeighbourSenseTest {
  private static final long MS = SensedOrigin.MS;
  private static final long SECOND = 1_000_000_000;
  private static final long SEED =
      Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));

  /** A word is on its way for so long; who pauses says so two seconds later. */
  private static final long WORD = 400;

  private static final long PAUSE = 2000;

  private final SensedOrigin origin = new SensedOrigin(SEED, 4, 0.1);

  NeighbourSenseTest() {
    System.out.println("seed of the origin (-Deley.test.seed=...): " + SEED);
  }

  /** Lets it read for some seconds, and pause for some. */
  private void neighbourReads(long millis, long pauseMillis, boolean says) {
    origin.slowdown = 2.7;
    pass(WORD, says, false);
    pass(millis - WORD, says, true);
    origin.slowdown = 1;
    pass(PAUSE + WORD, says, true);
    pass(pauseMillis - PAUSE - WORD, says, false);
  }

  private void pass(long millis, boolean says, boolean loads) {
    for (long i = 0; i < millis; i += 10) {
      if (says) {
        origin.sense.noteNeighbours(true, loads, origin.now * MS);
      }
      origin.pass(10);
    }
  }

  @Test
  void whatItReadsIsNobodysPhaseAndHoldsForLessThanThreePercent() {
    pass(5000, true, false);
    for (int i = 0; i < 20; i++) {
      neighbourReads(20_000 + 137L * i, 10_000 + 311L * i, true);
    }
    System.out.printf("held for %.1f %%%n", 100.0 * origin.heldMillis / origin.now);
    assertThat(origin.phases).isEmpty();
    assertThat(origin.heldMillis).isLessThan(origin.now * 3 / 100);
  }

  @Test
  void oneThatSaysNothingIsAnHpcApplicationToUs() {
    pass(5000, false, false);
    for (int i = 0; i < 5; i++) {
      neighbourReads(20_000, 10_000, false);
    }
    assertThat(origin.phases).hasSizeGreaterThanOrEqualTo(5);
    assertThat(origin.heldMillis).isGreaterThan(origin.now / 3);
  }

  @Test
  void besideOneThatIsSilentAnHpcApplicationIsHeldForAsSoonAsEver() {
    pass(5000, true, false);
    var ends = new ArrayList<Long>();
    for (int i = 0; i < 20; i++) {
      pass(3000 + 37L * i, true, false);
      origin.slowdown = 2.7;
      origin.sense.noteNeighbours(true, false, origin.now * MS);
      assertThat(origin.passUntil(State.LISTENING, 1000)).isLessThan(350);
      pass(5300, true, false);
      origin.slowdown = 1;
      ends.add(origin.passUntil(State.CLEAR, 3000));
    }
    // One test read in a thousand takes long by itself, and the next one waits twice as long.
    assertThat(ends).filteredOn(end -> end >= 1000).hasSizeLessThanOrEqualTo(1);
    assertThat(ends).allMatch(end -> end < 2000);
    assertThat(origin.phases).hasSizeBetween(20, 22);
  }

  @Test
  void whileItLoadsTheOriginWeAreDeafAndKnowIt() {
    pass(5000, true, false);
    origin.slowdown = 2.7;
    pass(2000, true, false);
    assertThat(origin.sense.state()).isEqualTo(State.FOREIGN);
    pass(20, true, true);
    assertThat(origin.sense.deaf()).isTrue();
    assertThat(origin.sense.state()).as("nobody can tell any more").isEqualTo(State.CLEAR);
    pass(3000, true, true);
    assertThat(origin.phases).hasSize(1);
  }

  @Test
  void singleReadsAreNotHeardByOthersAndAPauseOfAMomentIsNone() {
    var own = new HeardLoad();
    assertThat(own.heard(0)).isFalse();
    own.note(List.of(new ReadTime(0, 30 * MS, 1 << 20, 1.1)), SECOND);
    own.notePast(0, SECOND);
    assertThat(own.heard(SECOND)).isFalse();
    own.note(List.of(new ReadTime(0, 30 * MS, 1 << 20, 2)), SECOND);
    assertThat(own.heard(2 * SECOND)).isTrue();
    assertThat(own.heard(3 * SECOND)).isFalse();
    own.notePast(1, 5 * SECOND);
    assertThat(own.heard(6 * SECOND)).isTrue();
  }

  @Test
  void whatOthersMoveIsHeardFromARateOnThatSingleReadsDoNotReach() {
    long mib = 1 << 20;
    double rate = 4 * mib;
    var others = new HeardLoad();
    long now = SECOND;
    others.noteMoved(0, rate, now);
    for (int i = 0; i < 50; i++) {
      now += 100 * MS;
      others.noteMoved(i % 4 == 0 ? mib : 0, rate, now);
      assertThat(others.heard(now)).as("a chunk each 400 ms, %s", i).isFalse();
    }
    for (int wait : new int[] {100, 150, 225, 337, 506, 759, 100, 150, 225}) {
      now += wait * MS;
      others.noteMoved(mib, rate, now);
      assertThat(others.heard(now)).as("a chunk after %s ms", wait).isFalse();
    }
    now += 100 * MS;
    others.noteMoved(5 * mib, rate, now);
    assertThat(others.heard(now)).as("50 MB/s").isTrue();
    for (int i = 0; i < 600; i++) {
      now += 100 * MS;
      others.noteMoved(50 * mib, rate, now);
    }
    others.noteMoved(0, rate, now + 1999 * MS);
    assertThat(others.heard(now + 1999 * MS)).as("a pause of a moment").isTrue();
    others.noteMoved(0, rate, now + 2000 * MS);
    assertThat(others.heard(now + 2000 * MS)).as("however much it was").isFalse();
  }

  @Test
  void whoSaysNothingAnyMoreIsGone() {
    var others = new Neighbourhood();
    assertThat(others.there(0)).isFalse();
    others.note("a", false, 0);
    others.note("b", true, SECOND);
    assertThat(others.loads(2 * SECOND)).isTrue();
    others.note("a", false, 3 * SECOND);
    assertThat(others.loads(5 * SECOND)).isFalse();
    assertThat(others.there(5 * SECOND)).isTrue();
    assertThat(others.there(7 * SECOND)).isFalse();
  }
}
