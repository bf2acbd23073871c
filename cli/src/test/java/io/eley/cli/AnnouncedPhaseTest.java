package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A phase beside a coordinator that goes away, and ends that come twice. */
@Timeout(60)
class AnnouncedPhaseTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final Announcements coordinator = new Announcements();
  private final List<EleyException> refused = new ArrayList<>();

  /** Counts, and fails when it is told to. */
  private static final class Announcements implements LeasedPhases.Announcements {
    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger told = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    volatile boolean away;
    volatile CountDownLatch slow = new CountDownLatch(0);
    volatile CountDownLatch held = new CountDownLatch(0);

    @Override
    public void begin(String application, Duration lease) throws EleyException {
      begun.incrementAndGet();
      passed(held);
      answer();
      told.incrementAndGet();
    }

    @Override
    public void end(String application) throws EleyException {
      ended.incrementAndGet();
      passed(slow);
      answer();
    }

    private static void passed(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void answer() throws EleyException {
      if (away) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "away");
      }
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private AnnouncedPhase begin(Duration lease) {
    return begin(coordinator, lease);
  }

  private AnnouncedPhase begin(LeasedPhases.Announcements announcements, Duration lease) {
    var phase = new AnnouncedPhase(announcements, "climate", lease);
    phase.begin(refused::add);
    return phase;
  }

  @Test
  void aPhaseIsBegunOnceAndEndedOnce() {
    AnnouncedPhase phase = begin(LONG);
    assertThat(coordinator.begun).hasValue(1);
    phase.close();
    phase.close();
    assertThat(List.of(coordinator.begun.get(), coordinator.ended.get(), coordinator.closed.get()))
        .containsExactly(1, 1, 1);
  }

  @Test
  void aPhaseThatCannotBeAnnouncedIsTriedAgainBeforeALeaseWouldBeRenewed() {
    coordinator.away = true;
    AnnouncedPhase phase = begin(LONG);
    assertThat(refused).singleElement().asString().contains("away");
    coordinator.away = false;
    await().until(() -> coordinator.told.get() == 1);
    phase.close();
    assertThat(List.of(coordinator.told.get(), coordinator.ended.get(), coordinator.closed.get()))
        .containsExactly(1, 1, 1);
    assertThat(coordinator.begun).hasValueGreaterThan(1);
  }

  /** Its coordinator has no address yet, so there is nothing to connect to. */
  @Test
  void aDeploymentThatComesLaterIsFoundWhileThePhaseRuns() {
    var there = new AtomicBoolean();
    var late =
        new LateAnnouncements(
            () -> {
              if (!there.get()) {
                throw new EleyException(ErrorCode.UNAVAILABLE, "no deployment runs");
              }
              return coordinator;
            });
    AnnouncedPhase phase = begin(late, LONG);
    assertThat(coordinator.begun).hasValue(0);
    there.set(true);
    await().until(() -> coordinator.begun.get() == 1);
    phase.close();
    assertThat(List.of(coordinator.ended.get(), coordinator.closed.get())).containsExactly(1, 1);
    assertThat(refused).hasSize(1);
  }

  @Test
  void aDeploymentThatIsNeverThereIsToldNothing() {
    var never =
        new LateAnnouncements(
            () -> {
              throw new EleyException(ErrorCode.UNAVAILABLE, "no deployment runs");
            });
    begin(never, LONG).close();
    assertThat(refused).hasSize(1);
  }

  @Test
  void anEndThatCannotBeAnnouncedIsLeftToTheLease() {
    AnnouncedPhase phase = begin(LONG);
    coordinator.away = true;
    phase.close();
    assertThat(coordinator.closed).hasValue(1);
  }

  @Test
  void whoeverEndsItSecondWaitsForTheFirst() throws Exception {
    AnnouncedPhase phase = begin(LONG);
    coordinator.slow = new CountDownLatch(1);
    var first = CompletableFuture.runAsync(phase::close);
    await().until(() -> coordinator.ended.get() == 1);
    var second = CompletableFuture.runAsync(phase::close);
    assertThat(second).isNotDone();
    coordinator.slow.countDown();
    CompletableFuture.allOf(first, second).get(30, TimeUnit.SECONDS);
    assertThat(coordinator.ended).hasValue(1);
  }

  /** Else it would be open for its whole lease. */
  @Test
  void anEndWhileItIsBeingAnnouncedFollowsThat() throws Exception {
    coordinator.held = new CountDownLatch(1);
    var phase = new AnnouncedPhase(coordinator, "climate", LONG);
    var beginning = CompletableFuture.runAsync(() -> phase.begin(refused::add));
    await().until(() -> coordinator.begun.get() == 1);
    var ending = new Thread(phase::close);
    ending.start();
    await().until(() -> ending.getState() == Thread.State.BLOCKED);
    assertThat(coordinator.ended).hasValue(0);
    coordinator.held.countDown();
    beginning.get(30, TimeUnit.SECONDS);
    ending.join();
    assertThat(List.of(coordinator.told.get(), coordinator.ended.get(), coordinator.closed.get()))
        .containsExactly(1, 1, 1);
  }

  @Test
  void aPhaseThatIsOverIsNotBegun() {
    var phase = new AnnouncedPhase(coordinator, "climate", LONG);
    phase.close();
    phase.begin(refused::add);
    assertThat(coordinator.begun).hasValue(0);
    assertThat(refused).isEmpty();
  }
}
