package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpenCallsTest {
  private final AtomicInteger cleaned = new AtomicInteger();
  private final OpenCalls calls = new OpenCalls(cleaned::incrementAndGet);

  @Test
  void whoClosesCleansUpWhenNobodyIsInside() {
    assertThat(calls.enter()).isTrue();
    calls.leave();
    assertThat(calls.closed()).isFalse();
    assertThat(calls.close()).isTrue();
    assertThat(cleaned).hasValue(1);
    assertThat(calls.closed()).isTrue();
    assertThat(calls.enter()).isFalse();
    assertThat(calls.close()).isFalse();
    assertThat(cleaned).hasValue(1);
  }

  @Test
  void theLastOneThatLeavesCleansUpBehindWhoHasClosed() {
    assertThat(calls.enter()).isTrue();
    assertThat(calls.enter()).isTrue();
    assertThat(calls.close()).isTrue();
    assertThat(calls.enter()).isFalse();
    assertThat(calls.close()).isFalse();
    calls.leave();
    assertThat(cleaned).hasValue(0);
    calls.leave();
    assertThat(cleaned).hasValue(1);
  }

  @Test
  void whoeverComesAndGoesItIsCleanedOnceAndBehindAll() throws Exception {
    // Of their own: all three have to run at once, which a common pool may not let them.
    var threads = Executors.newFixedThreadPool(3);
    try {
      comeAndGo(threads);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void comeAndGo(Executor threads) throws Exception {
    for (int round = 0; round < 200; round++) {
      var inside = new AtomicInteger();
      var meetings = new AtomicInteger();
      var cleanings = new AtomicInteger();
      var busy =
          new OpenCalls(
              () -> {
                cleanings.incrementAndGet();
                meetings.addAndGet(inside.get());
              });
      var begun = new CountDownLatch(3);
      var all =
          IntStream.range(0, 3)
              .mapToObj(
                  i -> CompletableFuture.runAsync(() -> comeAndGo(busy, inside, begun), threads))
              .toArray(CompletableFuture<?>[]::new);
      begun.await();
      assertThat(busy.close()).isTrue();
      CompletableFuture.allOf(all).get();
      assertThat(cleanings).hasValue(1);
      assertThat(meetings).hasValue(0);
    }
  }

  private static void comeAndGo(OpenCalls calls, AtomicInteger inside, CountDownLatch begun) {
    begun.countDown();
    while (calls.enter()) {
      inside.incrementAndGet();
      inside.decrementAndGet();
      calls.leave();
    }
  }
}
