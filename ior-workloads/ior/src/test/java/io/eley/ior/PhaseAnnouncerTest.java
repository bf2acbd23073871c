package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.ior.IorResult.Times;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PhaseAnnouncerTest {
  private final List<String> journal = new CopyOnWriteArrayList<>();

  private final LeasedPhases.Announcements coordinator =
      new LeasedPhases.Announcements() {
        @Override
        public void begin(String application, Duration lease) {
          journal.add("begin " + application);
        }

        @Override
        public void end(String application) {
          journal.add("end " + application);
        }

        @Override
        public void close() {
          journal.add("close");
        }
      };

  @Test
  void aPhaseThatIsLongerThanItsLeaseStaysAnnounced() {
    var warnings = new StringWriter();
    var announcer =
        new PhaseAnnouncer(
            new LeasedPhases(coordinator, Duration.ofMillis(30)),
            "ior",
            true,
            new PrintWriter(warnings, true));
    announcer.phaseBegins(IorOperation.WRITE, 0);
    await().until(() -> Collections.frequency(journal, "begin ior") >= 3);
    announcer.phaseEnds(IorOperation.WRITE, 0, 1, new Times(0, 1, 0, 1));
    announcer.close();
    assertThat(journal)
        .startsWith("end ior", "begin ior")
        .endsWith("begin ior", "end ior", "close");
    assertThat(warnings.toString()).isEmpty();
  }
}
