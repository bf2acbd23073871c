package io.eley.coordinator.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.coordinator.agent.Agent;
import io.eley.test.fixtures.VirtualThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LiveFeedTest {
  private static final Duration NOW = Duration.ZERO;

  private final VirtualThread thread = new VirtualThread();
  private final AtomicInteger asked = new AtomicInteger();

  /** The number of the document that cannot be made. */
  private int defect;

  private final LiveFeed feed =
      new LiveFeed(
          new Agent(thread, thread::now, () -> Instant.EPOCH.plusNanos(thread.now())),
          () -> {
            if (asked.incrementAndGet() == defect) {
              throw new IllegalArgumentException("a defect of a test");
            }
            return LiveDocuments.of(SampleFacts.at(thread.now() / 1_000_000, 1, 1));
          });

  private void pass(Duration time) {
    thread.runUntil(thread.now() + time.toNanos());
  }

  @Test
  void nothingIsMadeWhileNobodyLooks() {
    pass(Duration.ofMinutes(10));
    assertThat(asked).hasValue(0);
  }

  @Test
  void whoLooksGetsOneASecondAndTheEndIsTheEnd() throws Exception {
    try (var viewer = feed.open().orElseThrow()) {
      thread.runDue();
      assertThat(viewer.next(NOW)).isPresent();
      assertThat(viewer.next(NOW)).isEmpty();
      pass(Duration.ofSeconds(10));
      assertThat(feed.made()).isEqualTo(11);
      assertThat(viewer.next(NOW).orElseThrow().at()).isEqualTo(10_000);
    }
    pass(Duration.ofMinutes(10));
    assertThat(asked).hasValue(11);
  }

  @Test
  void oneThatCannotBeMadeIsOneLess() throws Exception {
    defect = 3;
    try (var viewer = feed.open().orElseThrow()) {
      pass(Duration.ofSeconds(10));
      assertThat(asked).hasValue(11);
      assertThat(feed.made()).isEqualTo(10);
      assertThat(viewer.next(NOW)).isPresent();
    }
  }

  @Test
  void manyWhoLookShareOneDocument() throws Exception {
    var viewers = new ArrayList<LiveFeed.Viewer>();
    for (int i = 0; i < LiveFeed.VIEWERS; i++) {
      viewers.add(feed.open().orElseThrow());
    }
    assertThat(feed.open()).isEmpty();
    pass(Duration.ofSeconds(5));
    assertThat(asked).hasValue(6);
    viewers.get(0).close();
    viewers.get(0).close();
    assertThat(feed.open()).isPresent();
    assertThat(feed.open()).isEmpty();
    pass(Duration.ofSeconds(5));
    assertThat(asked).hasValue(11);
  }

  @Test
  void oneLookNeedsNoViewer() {
    var once = feed.once();
    thread.runDue();
    assertThat(once).isCompleted();
    pass(Duration.ofSeconds(5));
    assertThat(asked).hasValue(1);
  }
}
