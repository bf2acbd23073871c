package io.eley.test.patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.TestExecutionListener;

class LongAwaitsTest {
  @Test
  void itIsFoundByWhoeverStartsTests() {
    assertThat(
            ServiceLoader.load(TestExecutionListener.class).stream()
                .map(ServiceLoader.Provider::type))
        .contains(LongAwaits.class);
  }

  @Test
  void whatAThreadOfAnotherTestDiesOfFailsNoAwait() {
    var polls = new AtomicInteger();
    await()
        .until(
            () -> {
              if (polls.incrementAndGet() == 1) {
                die();
              }
              return polls.get() == 3;
            });
    assertThat(polls).hasValue(3);
  }

  private static void die() throws InterruptedException {
    var thread =
        new Thread(
            () -> {
              throw new IllegalStateException("what another test's thread dies of");
            });
    thread.start();
    thread.join();
  }

  /** Longer than Awaitility waits by itself. */
  @Test
  @Tag("slow")
  void aStateMayComeAfterElevenSeconds() {
    long began = System.nanoTime();
    await().until(() -> System.nanoTime() - began > TimeUnit.SECONDS.toNanos(11));
  }
}
