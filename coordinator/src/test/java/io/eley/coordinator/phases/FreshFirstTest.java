package io.eley.coordinator.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FreshFirstTest {
  private final FreshFirst threads = new FreshFirst(2, "test");
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
  void whenAllHaveProvedThemselvesNobodyIsEnded() {
    slow("a", true);
    slow("b", true);
    assertThatThrownBy(() -> threads.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(ended).isEmpty();
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
