package io.eley.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallPaceTest {
  private static final int MOST = 3;

  private final CallPace pace = new CallPace(MOST, Duration.ofSeconds(20));
  private final ExecutorService callers = Executors.newFixedThreadPool(8);

  @AfterEach
  void stop() {
    callers.shutdownNow();
  }

  private Future<Integer> call(Future<?> until) {
    return callers.submit(
        () ->
            pace.make(
                () -> {
                  try {
                    until.get();
                    return 1;
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                }));
  }

  @Test
  void asManyAsThereAreThreadsGoAtOnce() throws Exception {
    long before = pace.calls();
    var together = new CyclicBarrier(MOST);
    var calls = new ArrayList<Future<Integer>>();
    for (int i = 0; i < MOST; i++) {
      calls.add(
          callers.submit(
              () ->
                  pace.make(
                      () -> {
                        try {
                          return together.await(20, TimeUnit.SECONDS);
                        } catch (Exception e) {
                          throw new AssertionError(e);
                        }
                      })));
    }
    for (var call : calls) {
      call.get();
    }
    assertThat(pace.calls()).isEqualTo(before + MOST);
  }

  @Test
  void slowMeansOneAtATimeUntilItIsOver() throws Exception {
    pace.slow(true);
    pace.slow(true);
    var inside = new AtomicInteger();
    var calls = new ArrayList<Future<Integer>>();
    for (int i = 0; i < 100; i++) {
      calls.add(
          callers.submit(
              () ->
                  pace.make(
                      () -> {
                        int beside = inside.getAndIncrement();
                        Thread.onSpinWait();
                        inside.decrementAndGet();
                        return beside;
                      })));
    }
    for (var call : calls) {
      assertThat(call.get()).as("others that were being made").isZero();
    }
    pace.slow(false);
    pace.slow(false);
    asManyAsThereAreThreadsGoAtOnce();
  }

  @Test
  void whatIsUnderWayGoesOnAndTheNextWaitsUntilNoneIs() throws Exception {
    var ends = List.of(new CompletableFuture<>(), new CompletableFuture<>());
    var first = call(ends.get(0));
    var second = call(ends.get(1));
    await().until(() -> pace.calls() == 2);
    pace.slow(true);
    var third = call(CompletableFuture.completedFuture(null));
    ends.get(0).complete(null);
    assertThat(first.get()).isEqualTo(1);
    assertThat(pace.calls()).as("the second is being made").isEqualTo(2);
    ends.get(1).complete(null);
    assertThat(second.get()).isEqualTo(1);
    assertThat(third.get()).isEqualTo(1);
    assertThat(pace.calls()).isEqualTo(3);
  }

  @Test
  void aCallThatHangsKeepsTheNextWaitingForAWhileAndNoLonger() throws Exception {
    var impatient = new CallPace(MOST, Duration.ofMillis(20));
    impatient.slow(true);
    var end = new CompletableFuture<Integer>();
    var hanging = callers.submit(() -> impatient.make(() -> end.join()));
    await().until(() -> impatient.calls() == 1);
    assertThat(impatient.make(() -> 2)).isEqualTo(2);
    assertThat(impatient.make(() -> 3)).as("it gave back no turn of another").isEqualTo(3);
    assertThat(hanging).isNotDone();
    end.complete(1);
    assertThat(hanging.get()).isEqualTo(1);
  }

  @Test
  void whoIsInterruptedBeforeItsTurnMakesNoCallAndTakesNobodysTurn() throws Exception {
    pace.slow(true);
    var end = new CompletableFuture<>();
    var first = call(end);
    await().until(() -> pace.calls() == 1);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> pace.make(() -> 1)).isInstanceOf(EleyException.class);
    assertThat(Thread.interrupted()).isTrue();
    end.complete(null);
    assertThat(first.get()).isEqualTo(1);
    assertThat(pace.make(() -> 2)).isEqualTo(2);
    assertThat(pace.calls()).isEqualTo(2);
  }
}
