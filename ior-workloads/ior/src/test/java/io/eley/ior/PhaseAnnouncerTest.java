package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.ior.IorResult.Times;
import io.eley.test.fixtures.PhaseJournal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PhaseAnnouncerTest {
  private final PhaseJournal journal = new PhaseJournal();

  @Test
  void aPhaseThatIsLongerThanItsLeaseStaysAnnounced() {
    var warnings = new StringWriter();
    var announcer =
        new PhaseAnnouncer(
            new LeasedPhases(journal, Duration.ofMillis(30)),
            "ior",
            true,
            new PrintWriter(warnings, true));
    announcer.phaseBegins(IorOperation.WRITE, 0);
    await().until(() -> journal.begun("ior") >= 3);
    announcer.phaseEnds(IorOperation.WRITE, 0, 1, new Times(0, 1, 0, 1));
    announcer.close();
    assertThat(journal.lines())
        .startsWith("end ior", "begin ior")
        .endsWith("begin ior", "end ior", "close");
    assertThat(warnings.toString()).isEmpty();
  }
}
