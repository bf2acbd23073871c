package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GuardedOriginTest {
  @Test
  void aCallThatHangsCostsItsThreadAndIsCountedUntilItComesBack() throws Exception {
    var release = new CountDownLatch(1);
    try (var guard = new GuardedOrigin("test", 2, Duration.ofMillis(50))) {
      assertThatThrownBy(() -> guard.call("stat /x", () -> hang(release)))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_HUNG))
          .hasMessageContaining("stat /x");
      assertThat(guard.hungCalls()).isEqualTo(1);
      assertThat(guard.call("stat /y", () -> 42)).isEqualTo(42);
      release.countDown();
      await().until(() -> guard.hungCalls() == 0);
    }
  }

  @Test
  void errorsComeOutAsTheyWereThrown() {
    try (var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(5))) {
      var mine = new EleyException(ErrorCode.NOT_FOUND, "none");
      assertThatThrownBy(
              () ->
                  guard.call(
                      "stat",
                      () -> {
                        throw mine;
                      }))
          .isSameAs(mine);
      assertThatThrownBy(
              () ->
                  guard.call(
                      "stat",
                      () -> {
                        throw new IllegalStateException("broken");
                      }))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_FAILED));
    }
  }

  private static Integer hang(CountDownLatch release) {
    boolean interrupted = false;
    while (true) {
      try {
        release.await();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return 1;
      } catch (InterruptedException e) {
        // As in uninterruptible sleep: nothing wakes it but the server.
        interrupted = true;
      }
    }
  }
}
