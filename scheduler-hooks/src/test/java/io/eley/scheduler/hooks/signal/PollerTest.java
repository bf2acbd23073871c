package io.eley.scheduler.hooks.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Samplers that misbehave. */
@Timeout(60)
class PollerTest {
  private final List<List<Sighting>> seen = new CopyOnWriteArrayList<>();
  private final List<String> failed = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Long> lookedAt = new CopyOnWriteArrayList<>();
  private final AtomicLong now = new AtomicLong(-5);
  private volatile Duration rest = Duration.ZERO;
  private volatile Blindness blindness = Blindness.NONE;

  /** What a look does. */
  private interface Look {
    List<Sighting> at(int count) throws SignalException, InterruptedException;
  }

  private Poller start(Look look) {
    return start(Duration.ofMillis(5), look);
  }

  private Poller start(Duration interval, Look look) {
    var count = new AtomicInteger();
    var sampler =
        new Sampler() {
          @Override
          public String name() {
            return "fake";
          }

          @Override
          public SourceKind kind(PollTiming timing) {
            return SourceKind.sampled(name(), 1, timing.interval(), timing.freshness());
          }

          @Override
          public Duration rest() {
            return rest;
          }

          @Override
          public Blindness blindness() {
            return blindness;
          }

          @Override
          public List<Sighting> sample() throws SignalException, InterruptedException {
            lookedAt.add(System.nanoTime());
            return look.at(count.getAndIncrement());
          }

          @Override
          public void close() {
            closed.set(true);
          }
        };
    return Poller.start(sampler, interval, now::get, seen::add, failed::add);
  }

  @Test
  void aSamplerThatTheSystemGivesNoThreadIsAskedAgain() {
    try (var poller =
        start(
            count -> {
              if (count < 2) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return List.of();
            })) {
      assertThat(poller).isNotNull();
      await().until(() -> !seen.isEmpty());
    }
    assertThat(failed).containsOnly("unable to create native thread").hasSize(2);
  }

  @Test
  void failuresAndDefectsAreToldAndSurvived() {
    try (var poller =
        start(
            count -> {
              switch (count) {
                case 0 -> throw SignalException.absent("there is no sstat");
                case 1 -> throw new IllegalStateException("garbage");
                case 2 -> throw SignalException.failed("denied");
                default -> {
                  return List.of();
                }
              }
            })) {
      assertThat(poller).isNotNull();
      await().until(() -> seen.size() > 3);
    }
    assertThat(failed)
        .containsExactly(
            "there is no sstat", "defect: java.lang.IllegalStateException: garbage", "denied");
    await().untilTrue(closed); // the closer waits for some seconds at most
  }

  @Test
  void oneThatHangsCostsItsThreadAndNotTheCloser() throws Exception {
    var hangs = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var poller =
        start(
            count -> {
              hangs.countDown();
              boolean over = false;
              while (!over) {
                try {
                  release.await();
                  over = true;
                } catch (InterruptedException e) {
                  // as a call into a dead file system does
                }
              }
              return List.of();
            });
    hangs.await();
    poller.close();
    assertThat(closed).as("it is at it still").isFalse();
    release.countDown();
    await().untilTrue(closed);
  }

  /** Each is told to end before one is waited for: here the first ends only with the second. */
  @Test
  void pollersThatAreClosedTogetherAreWaitedForTogether() throws Exception {
    var looking = new CountDownLatch(2);
    var second = new CountDownLatch(1);
    var ended = new AtomicInteger();
    Look hanging =
        count -> {
          looking.countDown();
          boolean over = false;
          while (!over) {
            try {
              second.await();
              over = true;
            } catch (InterruptedException e) {
              // as a call into a dead file system does
            }
          }
          ended.incrementAndGet();
          return List.of();
        };
    Look interrupted =
        count -> {
          looking.countDown();
          try {
            new CountDownLatch(1).await();
          } finally {
            second.countDown();
            ended.incrementAndGet();
          }
          return List.of();
        };
    var pollers = List.of(start(hanging), start(interrupted));
    looking.await();
    Poller.closeAll(pollers);
    await().until(() -> ended.get() == 2);
  }

  @Test
  void aClosedPollerLooksNoMore() {
    var poller = start(count -> List.of());
    await().until(() -> !seen.isEmpty());
    poller.close();
    await().untilTrue(closed);
    int looks = seen.size();
    assertThat(seen).hasSize(looks);
  }

  /** At once, not after the hour that it has begun to wait. */
  @Test
  void whileSomethingGoesOnItLooksMoreOften() {
    try (var poller = start(Duration.ofHours(1), count -> List.of())) {
      assertThat(seen).isEmpty();
      poller.lookClosely(true);
      await().until(() -> seen.size() >= 3);
      assertThat(poller.name()).isEqualTo("fake");
    }
  }

  @Test
  void aSamplerThatWantsToRestIsLeftAloneForFourIntervalsAtMost() {
    rest = Duration.ofHours(1);
    try (var poller = start(Duration.ofMillis(50), count -> List.of())) {
      assertThat(poller).isNotNull();
      await().until(() -> seen.size() >= 3);
    }
    assertThat(gaps()).allMatch(gap -> gap >= 200_000_000L);
  }

  private List<Long> gaps() {
    return IntStream.range(1, lookedAt.size())
        .mapToObj(i -> lookedAt.get(i) - lookedAt.get(i - 1))
        .toList();
  }

  /** What cannot be read is not asked four times a second for it. */
  @Test
  void aSourceThatFailsIsNotLookedAtMoreOften() {
    Look failing =
        count -> {
          throw SignalException.failed("down");
        };
    try (var poller = start(Duration.ofMillis(200), failing)) {
      poller.lookClosely(true);
      await().until(() -> failed.size() >= 3);
      poller.lookClosely(true);
      await().until(() -> failed.size() >= 4);
    }
    assertThat(gaps().get(2)).as("before the fourth look").isGreaterThanOrEqualTo(1_500_000_000L);
  }

  private static Blindness denied(String howMany, boolean complete) {
    return new Blindness("sstat is denied for the jobs of a mole, " + howMany, complete);
  }

  /** Lets the poller look while the source is as blind as this. */
  private void lookWhileIt(Blindness is) {
    blindness = is;
    int before = seen.size();
    // A look that had begun may have seen the source as it was: the next one has not, and the one
    // behind it comes when that has been noted.
    await().until(() -> seen.size() >= before + 3);
  }

  /** The words of Slurm's source change with each job of the cluster that begins or ends. */
  @Test
  void whatIsNotSeenIsLoggedOnceAnHourHoweverItIsWorded() {
    // While another class makes the first logger of all there are substitutes.
    await().until(() -> LoggerFactory.getLogger(Poller.class) instanceof Logger);
    var log = (Logger) LoggerFactory.getLogger(Poller.class);
    var logged = new ListAppender<ILoggingEvent>();
    logged.start();
    log.addAppender(logged);
    blindness = denied("3 of 4", false);
    try (var poller = start(count -> List.of())) {
      assertThat(poller).isNotNull();
      lookWhileIt(denied("3 of 4", false));
      lookWhileIt(denied("4 of 5", false));
      lookWhileIt(Blindness.NONE);
      lookWhileIt(denied("5 of 5", true));
      lookWhileIt(denied("5 of 6", false));
      lookWhileIt(denied("6 of 6", true));
      now.addAndGet(Duration.ofHours(1).toNanos());
      lookWhileIt(denied("6 of 6", true));
      lookWhileIt(denied("7 of 7", true));
      lookWhileIt(denied("6 of 6", true));
      now.addAndGet(Duration.ofHours(1).toNanos());
      lookWhileIt(denied("6 of 6", true));
    } finally {
      log.detachAppender(logged);
    }
    assertThat(logged.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(line -> line.contains("of a mole"))
        .extracting(line -> line.replaceAll(".*mole, ", ""))
        .containsExactly("3 of 4", "5 of 5", "6 of 6");
  }
}
