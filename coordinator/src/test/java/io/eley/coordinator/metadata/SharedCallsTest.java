package io.eley.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SharedCallsTest {
  private final AtomicBoolean threadless = new AtomicBoolean(true);
  private final Executor scarce =
      task -> {
        if (threadless.get()) {
          throw new OutOfMemoryError("unable to create native thread");
        }
        task.run();
      };
  private final SharedCalls<String> calls =
      new SharedCalls<>(
          path -> () -> "of " + path,
          scarce,
          new SharedCalls.Lives(Duration.ofSeconds(1), Duration.ofSeconds(1)),
          System::nanoTime);

  @Test
  void aQuestionForWhichNoThreadCanBeStartedFailsAtOnceAndCanBeAskedAgain() {
    assertThat(calls.ask("/f", true))
        .isCompletedExceptionally()
        .failsWithin(Duration.ofSeconds(1))
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));

    threadless.set(false);
    assertThat(calls.ask("/f", true)).isCompletedWithValue("of /f");
  }
}
