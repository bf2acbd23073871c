package io.eley.scheduler.hooks.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for any number of jobs, of busy ones, and for any time that Slurm takes. */
class JobRotationTest {
  private static final int[] MICROS_A_JOB = {50, 3_000, 8_000, 30_000, 60_000, 150_000, 450_000};

  private final JobRotation rotation = new JobRotation();
  private final List<Set<Long>> calls = new ArrayList<>();
  private final Map<Long, Integer> lastCall = new HashMap<>();
  private List<SlurmJob> jobs = List.of();
  private Set<Long> busy = Set.of();
  private Set<Long> marked = new HashSet<>();
  private int microsAJob;

  private static SlurmJob job(long id) {
    return new SlurmJob(id, id, "sim", "alice", "", "", "", "", "n1");
  }

  private static JobRotationTest site(int count, Set<Long> busy, int microsAJob) {
    var site = new JobRotationTest();
    site.jobs = LongStream.range(0, count).mapToObj(JobRotationTest::job).toList();
    site.busy = busy;
    site.microsAJob = microsAJob;
    return site;
  }

  private static Set<Long> some(Random random, int most, int of) {
    int count = random.nextInt(most + 1);
    return random.longs(0, of).distinct().limit(count).boxed().collect(Collectors.toSet());
  }

  /** As the sampler does: who was asked for before, and moves, is busy. */
  private Set<Long> call() {
    List<SlurmJob> next = rotation.next(jobs);
    Set<Long> asked = next.stream().map(SlurmJob::id).collect(Collectors.toSet());
    assertThat(asked).as("no job twice").hasSameSizeAs(next);
    for (SlurmJob job : next) {
      boolean moves = busy.contains(job.id()) && lastCall.containsKey(job.id());
      rotation.setBusy(job, moves);
      if (moves) {
        marked.add(job.id());
      } else {
        marked.remove(job.id());
      }
      lastCall.put(job.id(), calls.size());
    }
    rotation.answered(next, Duration.ofNanos(1000L * microsAJob * next.size()));
    calls.add(asked);
    return asked;
  }

  private void calls(int count) {
    for (int i = 0; i < count; i++) {
      Set<Long> unused = call();
    }
  }

  private static int ofBusy(int size) {
    return Math.max(1, size - (size + 3) / 4);
  }

  private long inARow(int call) {
    return calls.get(call).stream()
        .filter(busy::contains)
        .filter(calls.get(call - 1)::contains)
        .count();
  }

  /** Whatever begins and ends: places are used, and whoever is followed stays. */
  @Test
  void whoIsFollowedStaysWhileHeMoves() {
    var random = seeded();
    for (int trial = 0; trial < 60; trial++) {
      int count = 1 + random.nextInt(200);
      var site =
          site(
              count, some(random, count, count), MICROS_A_JOB[random.nextInt(MICROS_A_JOB.length)]);
      site.calls(10); // by then the size is settled
      for (int i = 0; i < 150; i++) {
        if (random.nextInt(10) == 0) {
          site.busy = some(random, count, count);
        }
        site.checkOneCall();
      }
    }
  }

  private void checkOneCall() {
    int number = calls.size();
    Set<Long> before = calls.get(number - 1);
    Set<Long> markedBefore = Set.copyOf(marked);
    Set<Long> asked = call();
    if (asked.size() == jobs.size()) {
      assertThat(jobs).noneMatch(rotation::waits);
      return;
    }
    int size = asked.size();
    assertThat(size).isEqualTo(before.size()).isLessThanOrEqualTo(JobRotation.MOST);
    if (size > 1 || number % 4 != 3) {
      assertThat(asked.stream().filter(markedBefore::contains).count())
          .as("places of those that move")
          .isGreaterThanOrEqualTo(Math.min(markedBefore.size(), ofBusy(size)));
      var followed = new HashSet<>(calls.get(number - 2));
      followed.retainAll(before);
      followed.retainAll(markedBefore);
      assertThat(asked.stream().filter(followed::contains).count())
          .as("of %s, in a row", followed)
          .isGreaterThanOrEqualTo(Math.min(followed.size(), ofBusy(size)));
    }
    assertThat(jobs.stream().filter(rotation::waits).map(SlurmJob::id))
        .as("who moves and is not asked for waits")
        .containsExactlyInAnyOrderElementsOf(
            marked.stream().filter(id -> !asked.contains(id)).toList());
  }

  /** With the same jobs at work all the time as many are seen as there is room for. */
  @Test
  void asManyAreSeenAsThereIsRoomFor() {
    var random = seeded();
    for (int trial = 0; trial < 40; trial++) {
      int count = 1 + random.nextInt(80);
      var busy = some(random, count, count);
      var site = site(count, busy, MICROS_A_JOB[random.nextInt(MICROS_A_JOB.length)]);
      site.calls(10 + 8 * count);
      for (int i = 0; i < 10 * count; i += 4) {
        site.calls(4);
        int end = site.calls.size();
        int size = site.calls.get(end - 1).size();
        int room = size == count ? busy.size() : Math.min(busy.size(), ofBusy(size));
        long seen = LongStream.of(1, 2, 3, 4).map(ago -> site.inARow(end - (int) ago)).sum();
        assertThat(seen)
            .as("%d of %d busy, %d at a time", busy.size(), count, size)
            .isGreaterThanOrEqualTo(size == 1 && count > 1 ? 2L * room : 4L * room);
      }
      site.checkTurns();
    }
  }

  /** Each job has its turn, however many others move something. */
  private void checkTurns() {
    int size = calls.get(calls.size() - 1).size();
    int most = size == 1 ? 4 * jobs.size() : jobs.size() / ((size + 3) / 4) + 2;
    for (SlurmJob job : jobs) {
      assertThat(calls.size() - lastCall.getOrDefault(job.id(), -1))
          .as(
              "calls since the last turn of job %d, of %d, %d at a time",
              job.id(), jobs.size(), size)
          .isLessThanOrEqualTo(most + 4);
    }
  }

  @Test
  void whoIsTriedAloneIsNoneOfTheCallsInARow() {
    var site = site(3, Set.of(), 3_000);
    long minute = Duration.ofMinutes(1).toNanos();
    site.rotation.timedOut(List.of(job(1)), 0);
    assertThat(site.call()).containsExactlyInAnyOrder(0L, 2L);
    assertThat(site.rotation.again(site.jobs, minute - 1)).isEmpty();
    assertThat(site.rotation.again(site.jobs, minute)).contains(job(1));
    assertThat(site.rotation.again(site.jobs, minute)).as("one a minute").isEmpty();
    site.rotation.answeredAlone(List.of(job(1)));
    assertThat(site.rotation.silent()).isEmpty();
    assertThat(site.rotation.inLastCall(job(0))).isTrue();
    assertThat(site.rotation.inLastCall(job(1))).isFalse();
    assertThat(site.call()).containsExactlyInAnyOrder(0L, 1L, 2L);
  }

  /** One place that Slurm's limit leaves; who is followed keeps it while others have turns. */
  @Test
  void whereTheLimitLeavesOnePlaceTurnsAreBesideWhoIsFollowed() {
    for (int count = 2; count < 6; count++) {
      var site = site(count, Set.of(1L), 3_000);
      site.rotation.setMost(1);
      site.calls(2 * count);
      for (int i = 0; i < JobRotation.BESIDE * count; i++) {
        assertThat(site.call()).contains(1L).hasSizeLessThanOrEqualTo(2);
      }
      assertThat(site.lastCall).hasSize(count);
      assertThat(site.lastCall.values())
          .allMatch(last -> last >= site.calls.size() - JobRotation.BESIDE * site.jobs.size());
    }
  }

  /** It would be asked for again and again, for calls that are not answered do not count. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void ofAPairThatDoesNotAnswerTheOneAtFaultIsFound(long atFault) {
    var site = site(2, Set.of(0L), 3_000);
    site.rotation.setMost(1);
    for (int i = 0; i < JobRotation.BESIDE && site.rotation.next(site.jobs).size() < 2; i++) {
      site.calls(1);
    }
    assertThat(site.rotation.next(site.jobs)).hasSize(2);
    for (int i = 0; i < 3 && site.rotation.silent().isEmpty(); i++) {
      List<SlurmJob> next = site.rotation.next(site.jobs);
      if (next.contains(job(atFault))) {
        site.rotation.timedOut(next, 0);
      } else {
        site.calls(1);
      }
    }
    assertThat(site.rotation.silent()).containsExactly(atFault);
    assertThat(site.call()).containsExactly(1 - atFault);
  }

  private static Random seeded() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the rotation (-Deley.test.seed=...): " + seed);
    return new Random(seed);
  }
}
