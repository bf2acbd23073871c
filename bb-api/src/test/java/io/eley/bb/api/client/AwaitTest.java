package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AwaitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void whatIsDoneComesOutEvenWithoutTime() throws Exception {
    assertThat(Await.done(CompletableFuture.completedFuture(5), Duration.ZERO, "it")).isEqualTo(5);
  }

  @Test
  void whatIsNotDoneInTimeIsADeadlineThatSaysHowLong() {
    long began = System.nanoTime();
    var error =
        failure(() -> Await.done(new CompletableFuture<>(), Duration.ofMillis(60), "the view"));
    assertThat(error.code()).isEqualTo(ErrorCode.DEADLINE);
    assertThat(error).hasMessage("no answer within 60 ms: the view");
    assertThat(System.nanoTime() - began).isBetween(60_000_000L, PATIENCE.toNanos());
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    Thread.currentThread().interrupt();
    var error = failure(() -> Await.done(new CompletableFuture<>(), PATIENCE, "the view"));
    assertThat(Thread.interrupted()).as("the flag").isTrue();
    assertThat(error.code()).isEqualTo(ErrorCode.INTERRUPTED);
    assertThat(error).hasMessage("interrupted: the view");
  }

  @Test
  void ourErrorsKeepCodeAndTextAndAreANewExceptionForEachWhoWaits() {
    var ours = new EleyException(ErrorCode.NO_SPACE, "full");
    var future = CompletableFuture.failedFuture(ours);
    var first = failure(() -> Await.done(future, PATIENCE, "a block"));
    var second = failure(() -> Await.done(future, PATIENCE, "a block"));
    assertThat(first.code()).isEqualTo(ErrorCode.NO_SPACE);
    assertThat(first).hasMessage("full").hasCause(ours).isNotSameAs(ours).isNotSameAs(second);
  }

  @Test
  void otherErrorsAreDefectsThatNameTheCall() {
    var defect = new IllegalStateException("broken");
    var error =
        failure(() -> Await.done(CompletableFuture.failedFuture(defect), PATIENCE, "a block"));
    assertThat(error.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(error)
        .hasMessage("failed: a block: java.lang.IllegalStateException: broken")
        .hasCause(defect);
  }

  private static EleyException failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    var caught = new java.util.concurrent.atomic.AtomicReference<EleyException>();
    assertThatThrownBy(call).isInstanceOfSatisfying(EleyException.class, caught::set);
    return java.util.Objects.requireNonNull(caught.get());
  }
}
