package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.test.fixtures.PhaseJournal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PhaseNoticesTest {
  private final PhaseJournal journal = new PhaseJournal();

  @Test
  void aPhaseThatIsLongerThanItsLeaseStaysAnnounced() {
    try (var notices =
        new PhaseNotices.Announced(new LeasedPhases(journal, Duration.ofMillis(30)))) {
      notices.begin("ior");
      await().until(() -> journal.begun("ior") >= 3);
      notices.end("ior");
    }
    assertThat(journal.lines()).endsWith("begin ior", "end ior", "close");
  }
}
