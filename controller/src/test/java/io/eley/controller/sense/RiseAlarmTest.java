package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where the alarm's bounds are, and since when it says that somebody has been there. */
class RiseAlarmTest {
  private static final long MS = 1_000_000;
  private final Trust trust = new Trust();
  private final RiseAlarm alarm = new RiseAlarm(trust);
  private final ReadBaseline baseline = new ReadBaseline();

  /** Its level is 0 and its spread the least there is. */
  @BeforeEach
  void learn() {
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      baseline.learn(0, i);
    }
  }

  private void loseTrust() {
    for (int i = 0; i < 20; i++) {
      trust.lose();
    }
  }

  /** Since when somebody is there, by what was heard before; three overdue reads say that. */
  private long since(long now) {
    assertThat(alarm.hearOverdue("a", 20, now)).isTrue();
    return alarm.since();
  }

  @Test
  void withLittleTrustAReadMustTakeLongerToBeEvidence() {
    loseTrust();
    assertThat(alarm.hear(baseline, 0.3, 100 * MS, 200 * MS)).isFalse();
    assertThat(since(300 * MS)).as("it took no longer than usual").isEqualTo(200 * MS);
    alarm.hear(baseline, 0.4, 400 * MS, 500 * MS);
    assertThat(since(600 * MS)).as("its begin").isEqualTo(400 * MS);
  }

  @Test
  void overdueReadsDoNotMoveTheBeginThatASlowReadHasShown() {
    alarm.hear(baseline, 0, 0, 100 * MS);
    alarm.hear(baseline, 0.7, 150 * MS, 300 * MS);
    assertThat(since(310 * MS)).isEqualTo(150 * MS);
  }

  @Test
  void overdueReadsCountForATenthOfASecond() {
    alarm.hearOverdue("a", 2, 0);
    assertThat(alarm.hearOverdue("b", 1, 100 * MS)).isTrue();
    alarm.reset(0);
    alarm.hearOverdue("a", 2, 0);
    assertThat(alarm.hearOverdue("b", 1, 100 * MS + 1)).isFalse();
  }

  @Test
  void withLittleTrustMoreReadsMustBeOverdue() {
    loseTrust();
    assertThat(alarm.hearOverdue("a", 7, 0)).isFalse();
    assertThat(alarm.hearOverdue("a", 8, 1)).isTrue();
  }

  @Test
  void afterAResetOldOverdueReadsDoNotCount() {
    alarm.hearOverdue("a", 2, 0);
    alarm.reset(1);
    assertThat(alarm.hearOverdue("b", 1, 2)).isFalse();
  }

  @Test
  void theLastSevenPhasesSayHowLongOneUsuallyIs() {
    var usual = new UsualLength(Duration.ZERO);
    for (long length = 1; length <= 7; length++) {
      usual.begin(length * 1000);
      usual.end(length * 1000 + length * 100);
    }
    usual.begin(10_000);
    assertThat(usual.ending()).contains(10_000 + 360L);
    usual.end(10_800);
    usual.begin(20_000);
    assertThat(usual.ending()).contains(20_000 + 450L);
  }
}
