package io.eley.coordinator.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FreshFirstTest {
  private final FreshFirst threads =
      new FreshFirst(new FreshFirst.Limits(2, 4, Duration.ZERO), "test");
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void close() {
    threads.close();
  }

  /** A request that would go on for ever; begun when this returns. */
  private void slow(String name, boolean proven) {
    threads.execute(
        () -> {
          if (proven) {
            threads.prove();
          }
          begun.add(name);
          try {
            never.await();
          } catch (InterruptedException e) {
            ended.add(name);
          }
        });
    await().until(() -> begun.contains(name));
  }

  @Test
  void aFreshRequestEndsTheOldestThatHasNotProvedItself() {
    slow("proven", true);
    slow("first", false);
    slow("second", false);
    await().until(() -> ended.contains("first"));
    slow("third", false);
    await().until(() -> ended.contains("second"));
    assertThat(ended).containsExactly("first", "second");
  }

  @Test
  void aRequestForWhichNoThreadCanBeStartedIsRefusedAndTakesNoPlace() throws Exception {
    var none = new AtomicBoolean(true);
    var served = new CountDownLatch(1);
    ThreadFactory scarce =
        work -> {
          if (none.get()) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return new Thread(work);
        };
    try (var only = new FreshFirst(new FreshFirst.Limits(1, 1, Duration.ZERO), scarce)) {
      assertThatThrownBy(() -> only.execute(() -> {}))
          .isInstanceOf(RejectedExecutionException.class);
      none.set(false);
      only.execute(served::countDown);
      served.await();
    }
  }

  @Test
  void whenAllHaveProvedThemselvesNobodyIsEnded() {
    for (String name : List.of("a", "b", "c", "d")) {
      slow(name, true);
    }
    assertThatThrownBy(() -> threads.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(ended).isEmpty();
  }

  @Test
  void aBurstGetsThreadsOfItsOwn() {
    try (var patient = new FreshFirst(new FreshFirst.Limits(1, 3, Duration.ofDays(1)), "patient")) {
      var all = new CountDownLatch(3);
      for (int i = 0; i < 3; i++) {
        patient.execute(
            () -> {
              all.countDown();
              slowly();
            });
      }
      await().until(() -> all.getCount() == 0);
      assertThatThrownBy(() -> patient.execute(() -> {}))
          .isInstanceOf(RejectedExecutionException.class);
      assertThat(ended).isEmpty();
    }
  }

  private void slowly() {
    try {
      never.await();
    } catch (InterruptedException e) {
      ended.add("interrupted");
    }
  }

  @Test
  void anInterruptDoesNotReachTheNextRequest() {
    for (int i = 0; i < 10; i++) {
      slow("slow " + i, false);
    }
    await().until(() -> ended.size() == 8);
    threads.execute(() -> begun.add("interrupted: " + Thread.currentThread().isInterrupted()));
    await().until(() -> begun.contains("interrupted: false"));
  }
}
