package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.server.net.LeakCheck;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node whose origin takes its time to open, as one behind a library of classes does. */
@ExtendWith(LeakCheck.class)
class StartingNodeTest {
  /** It has joined and confirms permits before: neither says that it can be read from. */
  @Test
  void saysThatItServesAsSoonAsItsOriginHasAnswered(@TempDir Path directory) throws Exception {
    try (var fixture = new NodeFixture(directory)) {
      var opens = new CountDownLatch(1);
      var mayOpen = new CountDownLatch(1);
      NodeServer.OriginOpener usual = fixture.origins;
      fixture.origins =
          address -> {
            opens.countDown();
            pass(mayOpen);
            return usual.open(address);
          };
      var starting = CompletableFuture.supplyAsync(() -> start(fixture));
      pass(opens);

      fixture.coordinator.open();
      assertThat(fixture.coordinator.counters)
          .extracting(NodeCounters::serving, NodeCounters::capacityBytes)
          .containsExactly(false, fixture.memory);

      mayOpen.countDown();
      assertThat(starting.join().counters().serving()).isTrue();
      // Without another permit.
      await()
          .untilAsserted(
              () ->
                  assertThat(fixture.coordinator.counters)
                      .extracting(NodeCounters::serving)
                      .isEqualTo(true));
    }
  }

  private static NodeServer start(NodeFixture fixture) {
    try {
      return fixture.start();
    } catch (EleyException e) {
      throw new CompletionException(e);
    }
  }

  private static void pass(CountDownLatch latch) throws EleyException {
    try {
      if (latch.await(20, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new EleyException(ErrorCode.DEADLINE, "the other side of the test did not come");
  }
}
