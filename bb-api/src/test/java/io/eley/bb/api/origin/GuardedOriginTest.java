package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GuardedOriginTest {
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void aCallThatHangsCostsItsThreadAndIsCountedUntilItComesBack() throws Exception {
    var release = new CountDownLatch(1);
    try (var guard = new GuardedOrigin("test", 2, DEADLINE)) {
      assertThatThrownBy(() -> guard.call("stat /x", () -> hang(release)))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_HUNG))
          .hasMessageContaining("stat /x");
      assertThat(guard.hungCalls()).isEqualTo(1);
      assertThat(guard.call("stat /y", () -> 42)).isEqualTo(42);
      assertThat(guard.underWayFor(Duration.ofMillis(400))).as("the one given up").hasSize(1);
      assertThat(guard.underWayFor(Duration.ofHours(1))).isEmpty();
      release.countDown();
      await().until(() -> guard.hungCalls() == 0);
      // A call answers a moment before it is over.
      await().until(() -> guard.underWayFor(Duration.ZERO).isEmpty());
    }
  }

  @Test
  void aStartedCallAnswersByItselfAndIsGivenUpAtItsDeadline() throws Exception {
    var release = new CountDownLatch(1);
    var mine = new EleyException(ErrorCode.NOT_FOUND, "none");
    try (var guard = new GuardedOrigin("test", 1, DEADLINE)) {
      assertThat(guard.start("stat /x", () -> 42).orElseThrow()).succeedsWithin(LONG).isEqualTo(42);
      assertThatThrownBy(
              () ->
                  guard
                      .start(
                          "stat",
                          () -> {
                            throw mine;
                          })
                      .orElseThrow()
                      .get())
          .hasCause(mine);
      long began = System.nanoTime();
      var hanging = guard.start("stat /y", () -> hang(release)).orElseThrow();
      var behind = guard.start("stat /z", () -> 43).orElseThrow();
      for (var each : List.of(hanging, behind)) {
        assertThatThrownBy(each::get)
            .cause()
            .isInstanceOfSatisfying(
                EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_HUNG));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(DEADLINE);
      }
      assertThat(guard.hungCalls()).as("the other one was not made").isEqualTo(1);
      release.countDown();
      await().until(() -> guard.hungCalls() == 0);
      assertThat(guard.start("stat /y", () -> 44).orElseThrow()).succeedsWithin(LONG);
    }
  }

  @Test
  void withoutAFurtherThreadNothingIsStarted() {
    ThreadFactory none =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    try (var guard = new GuardedOrigin(2, Duration.ofSeconds(5), none)) {
      assertThat(guard.start("stat /x", () -> 1)).isEmpty();
    }
    var closed = new GuardedOrigin("test", 2, Duration.ofSeconds(5));
    closed.close();
    assertThatThrownBy(() -> closed.start("stat /x", () -> 1))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void withoutAFurtherThreadTheCallersOwnMakesTheCallUntilThereAreThreadsAgain() throws Exception {
    var none = new AtomicBoolean(true);
    ThreadFactory scarce =
        task -> {
          if (none.get()) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return new Thread(task);
        };
    try (var guard = new GuardedOrigin(2, Duration.ofSeconds(5), scarce)) {
      assertThat(guard.call("stat /x", Thread::currentThread)).isSameAs(Thread.currentThread());
      var mine = new EleyException(ErrorCode.NOT_FOUND, "none");
      assertThatThrownBy(
              () ->
                  guard.call(
                      "stat",
                      () -> {
                        throw mine;
                      }))
          .isSameAs(mine);
      none.set(false);
      assertThat(guard.call("stat /x", Thread::currentThread)).isNotSameAs(Thread.currentThread());
      assertThat(guard.hungCalls()).isZero();
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

  @Test
  void whenAllThreadsHangAFurtherCallCostsItsDeadlineAndNeverRuns() throws Exception {
    var release = new CountDownLatch(1);
    var ran = new AtomicInteger();
    try (var guard = new GuardedOrigin("test", 2, DEADLINE)) {
      for (int i = 0; i < 2; i++) {
        code(ErrorCode.ORIGIN_HUNG, () -> guard.call("read", () -> hang(release)));
      }
      long began = System.nanoTime();
      code(ErrorCode.ORIGIN_HUNG, () -> guard.call("read", ran::incrementAndGet));
      assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(DEADLINE.toNanos());
      assertThat(guard.hungCalls()).as("what has not begun does not hang").isEqualTo(2);
      release.countDown();
      await().until(() -> guard.hungCalls() == 0);
      assertThat(guard.call("read", () -> 5)).isEqualTo(5);
      assertThat(ran).as("given up before it began").hasValue(0);
    }
  }

  @Test
  void aCallerThatIsInterruptedGoesOnWithItsFlagSet() throws Exception {
    var release = new CountDownLatch(1);
    try (var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(20))) {
      Thread.currentThread().interrupt();
      code(ErrorCode.INTERRUPTED, () -> guard.call("read", () -> hang(release)));
      assertThat(Thread.interrupted()).as("the flag").isTrue();
      release.countDown();
      await().until(() -> guard.hungCalls() == 0);
      assertThat(guard.call("read", () -> 6)).isEqualTo(6);
    }
  }

  @Test
  void callsRunOnDaemonsOfThatNameAndNotMoreThanThereMayBe() throws Exception {
    try (var guard = new GuardedOrigin("origin", 2, Duration.ofSeconds(20))) {
      var names = new TreeSet<String>();
      for (int i = 0; i < 20; i++) {
        names.add(
            guard.call(
                "name",
                () -> {
                  assertThat(Thread.currentThread().isDaemon()).isTrue();
                  return Thread.currentThread().getName();
                }));
      }
      assertThat(names).containsExactly("origin-1", "origin-2");
    }
  }

  @Test
  void aGuardThatIsClosedRunsNothing() {
    var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(5));
    guard.close();
    code(ErrorCode.UNAVAILABLE, () -> guard.call("read", () -> 1));
  }

  @Test
  void whatGivesSomethingBackIsDoneByTheCallersOwnThreadWhenAGuardIsClosed() throws Exception {
    var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(5));
    guard.close();
    assertThat(guard.callAnyhow("close", Thread::currentThread)).isSameAs(Thread.currentThread());
  }

  @Test
  void whatIsNotOursNamesTheCallAndTheError() {
    try (var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(5))) {
      var broken = new IllegalStateException("broken");
      assertThatThrownBy(
              () ->
                  guard.call(
                      "stat /x",
                      () -> {
                        throw broken;
                      }))
          .hasMessage("failed to stat /x: java.lang.IllegalStateException: broken")
          .hasCause(broken);
      assertThat(guard.hungCalls()).isZero();
    }
  }

  private static void code(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code));
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
