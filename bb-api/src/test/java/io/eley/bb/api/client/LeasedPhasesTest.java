package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LeasedPhasesTest {
  private final Journal journal = new Journal();
  private final LeasedPhases phases = new LeasedPhases(journal, Duration.ofMillis(30));

  /** Notes what is announced, and fails or hangs when it is told to. */
  private static final class Journal implements LeasedPhases.Announcements {
    final List<String> lines = new CopyOnWriteArrayList<>();
    final CountDownLatch never = new CountDownLatch(1);
    volatile boolean away;
    volatile boolean hangs;

    @Override
    public void begin(String application, Duration lease) throws EleyException {
      if (hangs) {
        lines.add("hanging");
        try {
          never.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      lines.add("begin " + application);
      if (away) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "away");
      }
    }

    @Override
    public void end(String application) {
      lines.add("end " + application);
    }

    @Override
    public void close() {
      lines.add("close");
    }

    void awaitBegun(String application, int more) {
      int before = begun(application);
      await().until(() -> begun(application) >= before + more);
    }

    int begun(String application) {
      return Collections.frequency(lines, "begin " + application);
    }
  }

  @AfterEach
  void close() {
    phases.close();
  }

  @Test
  void aLeaseIsRenewedWhileTheCoordinatorComesAndGoes() throws EleyException {
    phases.begin("ior");
    journal.awaitBegun("ior", 2);
    journal.away = true;
    journal.awaitBegun("ior", 2);
    journal.away = false;
    journal.awaitBegun("ior", 2);
  }

  /** Long before a third of the lease has passed. */
  @Test
  void whatCouldNotBeAnnouncedIsTriedAgainEachSecond() {
    var patient = new LeasedPhases(journal, Duration.ofHours(1));
    try (patient) {
      journal.away = true;
      assertThatThrownBy(() -> patient.begin("ior")).hasMessage("away");
      journal.awaitBegun("ior", 2);
    }
  }

  /** One try that fails must not cost the lease. */
  @Test
  void aLeaseIsDueWhenAThirdOfItHasPassedHoweverOftenItIsTried() {
    Duration lease = Duration.ofSeconds(3);
    assertThat(LeasedPhases.due(Duration.ofMillis(999).toNanos(), lease)).isTrue();
    assertThat(LeasedPhases.due(Duration.ofMillis(400).toNanos(), lease)).isFalse();
    Duration usual = Duration.ofMinutes(5);
    assertThat(LeasedPhases.due(Duration.ofSeconds(99).toNanos(), usual)).isFalse();
    assertThat(LeasedPhases.due(Duration.ofSeconds(100).toNanos(), usual)).isTrue();
  }

  @Test
  void aPhaseThatHasEndedIsRenewedNoMore() throws EleyException {
    phases.begin("ior");
    journal.awaitBegun("ior", 2);
    phases.end("ior");
    int ends = journal.lines.lastIndexOf("end ior");
    phases.begin("climate");
    journal.awaitBegun("climate", 3);
    phases.end("climate"); // nothing is added any more
    assertThat(journal.lines.subList(ends + 1, journal.lines.size()))
        .containsOnly("begin climate", "end climate");
  }

  @Test
  void aRenewalThatHangsNeitherDelaysTheEndNorComesBehindIt() throws EleyException {
    phases.begin("ior");
    journal.hangs = true;
    await().until(() -> journal.lines.contains("hanging"));
    phases.end("ior");
    assertThat(journal.lines).endsWith("hanging", "begin ior", "end ior");
  }

  @Test
  void aPhaseThatCouldNotBeAnnouncedIsTriedAgainUntilItEnds() throws EleyException {
    journal.away = true;
    assertThatThrownBy(() -> phases.begin("ior")).hasMessage("away");
    journal.away = false;
    journal.awaitBegun("ior", 2);
    phases.end("ior");
    int tries = journal.begun("ior");
    phases.begin("climate");
    journal.awaitBegun("climate", 3);
    assertThat(journal.begun("ior")).isEqualTo(tries);
  }
}
