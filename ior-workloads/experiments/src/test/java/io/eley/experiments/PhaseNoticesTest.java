package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.LeasedPhases;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PhaseNoticesTest {
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
    try (var notices =
        new PhaseNotices.Announced(new LeasedPhases(coordinator, Duration.ofMillis(30)))) {
      notices.begin("ior");
      await().until(() -> Collections.frequency(journal, "begin ior") >= 3);
      notices.end("ior");
    }
    assertThat(journal).endsWith("begin ior", "end ior", "close");
  }
}
