package io.eley.prefetcher.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.prefetcher.Seed;
import org.junit.jupiter.api.Test;

/** What a window needs so that a hold does not empty it. Times are in seconds here. */
class HoldCoverTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String A = "a";

  private final HoldCover cover = new HoldCover();

  private static long at(double seconds) {
    return Math.round(seconds * SECOND);
  }

  /** So many tasks a second end one by one, from a moment on to another. */
  private void tasks(String application, double perSecond, double from, double to) {
    for (double time = from; time < to; time += 1 / perSecond) {
      cover.endTasks(application, 1, at(time));
    }
  }

  private void hold(double from, double to) {
    assertThat(cover.setHeld(true, at(from))).as("news at its begin").isFalse();
    assertThat(cover.setHeld(false, at(to))).as("news at its end").isEqualTo(to - from >= 1);
  }

  @Test
  void asManyTasksAsEndedInSoLongATimeBefore() {
    cover.startApplication(A, 0);
    cover.setWaveSize(A, 4);
    tasks(A, 4, 0, 20);
    assertThat(cover.tasks(A)).as("before any hold").isZero();
    hold(20, 26);
    assertThat(cover.tasks(A)).isEqualTo(24);
  }

  @Test
  void tasksThatEndInAHoldSayNothing() {
    cover.startApplication(A, 0);
    tasks(A, 4, 0, 20);
    cover.setHeld(true, at(20));
    tasks(A, 100, 20, 22);
    cover.setHeld(false, at(26));
    assertThat(cover.tasks(A)).isEqualTo(24);
    // Nor does the time in which they were held: four seconds of eight are sixteen tasks more.
    tasks(A, 4, 26, 28);
    hold(28, 34);
    tasks(A, 4, 34, 36);
    hold(36, 42);
    assertThat(cover.tasks(A)).isEqualTo(24);
  }

  @Test
  void thePaceIsTheLatest() {
    cover.startApplication(A, 0);
    tasks(A, 4, 0, 20);
    tasks(A, 1, 20, 60);
    hold(60, 70);
    assertThat(cover.tasks(A)).isEqualTo(10);
  }

  @Test
  void fewTasksOrABurstAreNoPace() {
    cover.startApplication(A, 0);
    cover.setWaveSize(A, 100);
    tasks(A, 10, 0, 15);
    hold(15, 20);
    assertThat(cover.tasks(A)).as("two waves are 200 tasks").isZero();
    cover.startApplication("b", 0);
    tasks("b", 1000, 20, 20.5);
    hold(20.6, 30);
    assertThat(cover.tasks("b")).isZero();
    assertThat(cover.tasks("nobody")).isZero();
  }

  @Test
  void theLongestOfTheLastFourHoldsIsExpectedAndMomentsAreNone() {
    cover.startApplication(A, 0);
    tasks(A, 10, 0, 20);
    hold(20, 30);
    for (int i = 0; i < 100; i++) {
      hold(31 + i, 31.9 + i);
    }
    assertThat(cover.tasks(A)).as("ten seconds").isBetween(99, 101);
    hold(201, 203);
    hold(204, 206);
    hold(207, 209);
    assertThat(cover.tasks(A)).isBetween(99, 101);
    hold(210, 212);
    assertThat(cover.tasks(A)).as("two seconds").isBetween(19, 21);
  }

  /**
   * Its connection broke, or the coordinator restarted: all that has ended is told again at once.
   */
  @Test
  void aDriverThatTellsAllAgainChangesNothing() {
    cover.startApplication(A, 0);
    tasks(A, 4, 0, 20);
    hold(20, 26);
    cover.startApplication(A, at(27));
    assertThat(cover.tasks(A)).as("its cover stays").isEqualTo(24);
    cover.endTasks(A, 900, at(27));
    cover.endTasks(A, 900, at(27.1));
    tasks(A, 4, 28, 48);
    hold(48, 54);
    assertThat(cover.tasks(A)).isBetween(23, 24);
    cover.endApplication(A);
    assertThat(cover.tasks(A)).isZero();
    tasks(A, 4, 54, 74);
    assertThat(cover.tasks(A)).isZero();
  }

  /** A coordinator that was restarted looks up a stage's files before it is told of the next. */
  @Test
  void whatIsToldAgainLateCountsAsAWaveAtMost() {
    cover.startApplication(A, 0);
    cover.setWaveSize(A, 100);
    cover.endTasks(A, 20_000, at(3));
    cover.endTasks(A, 5000, at(6));
    tasks(A, 20, 6, 14);
    hold(14, 20);
    assertThat(cover.tasks(A)).as("120, and a wave in ten seconds").isBetween(120, 150);
  }

  /**
   * A wave that waits for a hold's end ends together: that is no pace of some hundreds a second.
   */
  @Test
  void tasksThatHoldsMakeEndTogetherAreAsManyAsInAPause() {
    cover.startApplication(A, 0);
    cover.setWaveSize(A, 8);
    for (int i = 1; i <= 10; i++) {
      tasks(A, 30, 16 * i + 5, 16 * i + 5.25);
      hold(16 * i + 6, 16 * i + 16);
    }
    assertThat(cover.tasks(A)).as("eight in each pause of six seconds").isBetween(12, 14);
  }

  @Test
  void holdsOfBeforeCoverAnApplicationAsSoonAsItsPaceIsKnown() {
    hold(0, 6);
    cover.startApplication(A, at(10));
    tasks(A, 4, 12, 20);
    assertThat(cover.tasks(A)).isZero();
    tasks(A, 4, 20, 23);
    assertThat(cover.tasks(A)).isEqualTo(24);
    tasks(A, 1, 23, 60);
    assertThat(cover.tasks(A)).as("no fewer before a hold is over").isEqualTo(24);
    hold(60, 61);
    assertThat(cover.tasks(A)).isEqualTo(6);
  }

  @Test
  void aPauseWithoutTasksIsNoTimeInWhichTheyEnd() {
    cover.startApplication(A, 0);
    tasks(A, 4, 1, 8);
    hold(8, 10);
    hold(110, 112);
    tasks(A, 4, 112, 117);
    hold(117, 119);
    assertThat(cover.tasks(A)).isEqualTo(8);
  }

  /** Whatever the pace and the hold: so many tasks as they say, but for a task and rounding. */
  @Test
  void anyEvenPaceIsFound() {
    var random = Seed.random("the paces");
    for (int round = 0; round < 1000; round++) {
      var one = new HoldCover();
      one.startApplication(A, 0);
      one.setWaveSize(A, 1 + random.nextInt(50));
      double gap = 0.01 + random.nextDouble();
      double time = random.nextDouble();
      for (int i = 0; i < 2000; i++, time += gap) {
        one.endTasks(A, 1, at(time));
      }
      double length = 1 + 100 * random.nextDouble();
      one.setHeld(true, at(time));
      one.setHeld(false, at(time + length));
      assertThat((double) one.tasks(A)).isBetween(length / gap * 0.999, length / gap * 1.001 + 1);
    }
  }
}
