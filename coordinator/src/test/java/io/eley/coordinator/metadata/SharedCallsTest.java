package io.eley.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedCallsTest {
  private final AtomicBoolean threadless = new AtomicBoolean(true);
  private final SharedCalls<String> calls =
      new SharedCalls<>(
          (path, begins) -> {
            if (threadless.get()) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            begins.run();
            return CompletableFuture.completedFuture("of " + path);
          },
          new SharedCalls.Lives(Duration.ofSeconds(1), Duration.ofSeconds(1)),
          new SharedCalls.Room<>(1 << 20, (path, text) -> 100),
          System::nanoTime);

  @Test
  void whatIsKeptTakesNoMoreThanItsRoomAndLeavesOneByOne() {
    var asked = new AtomicInteger();
    var small =
        new SharedCalls<>(
            (path, begins) -> {
              begins.run();
              asked.incrementAndGet();
              return CompletableFuture.completedFuture("of " + path);
            },
            new SharedCalls.Lives(Duration.ofDays(1), Duration.ofDays(1)),
            new SharedCalls.Room<>(100 * 200, (path, text) -> 100),
            System::nanoTime);
    for (int i = 0; i < 1000; i++) {
      assertThat(small.ask("/once" + i, small.fromEver())).isCompleted();
      assertThat(small.ask("/often" + i % 50, small.fromEver())).isCompleted();
    }
    long kept =
        IntStream.range(0, 1000).filter(i -> small.last("/once" + i) != null).count()
            + IntStream.range(0, 50).filter(i -> small.last("/often" + i) != null).count();
    assertThat(kept).as("full, not begun anew").isBetween(190L, 200L);
    asked.set(0);
    for (int i = 0; i < 50; i++) {
      assertThat(small.ask("/often" + i, small.fromEver())).isCompleted();
    }
    assertThat(asked).as("of 50 that are asked for often").hasValueLessThan(10);
    small.forgetTree("/");
    assertThat(small.last("/often1")).isNull();
    assertThat(small.last("/once999")).isNull();
  }

  @Test
  void aQuestionForWhichNoThreadCanBeStartedFailsAtOnceAndCanBeAskedAgain() {
    assertThat(calls.ask("/f", calls.fromNow()))
        .isCompletedExceptionally()
        .failsWithin(Duration.ofSeconds(1))
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));

    threadless.set(false);
    assertThat(calls.ask("/f", calls.fromNow())).isCompletedWithValue("of /f");
  }
}
