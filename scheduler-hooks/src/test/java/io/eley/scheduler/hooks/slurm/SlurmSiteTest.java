package io.eley.scheduler.hooks.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.signal.SignalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a whole site's jobs cost its slurmctld, and what is seen of them with few rights. */
class SlurmSiteTest {
  private static final long MILLI = 1_000_000L;

  /** Of one job's steps, as measured on an idle machine. */
  private static final long STEP_LIST = 2 * MILLI;

  private final List<String> squeues = new ArrayList<>();
  private final List<Set<Long>> sstats = new ArrayList<>();
  private final List<List<Sighting>> rounds = new ArrayList<>();
  private final Set<Long> busy = new HashSet<>();
  private final Set<String> deniedUsers = new HashSet<>();
  private final Set<Long> mute = new HashSet<>();
  private List<SlurmJob> jobs = List.of();
  private boolean gathers = true;
  private long slowness = 1;
  private long now;
  private final SlurmSampler sampler =
      new SlurmSampler(
          this::run,
          HpcRule.parse("*"),
          SlurmSampler.Frequency.alone(Duration.ofSeconds(1)),
          () -> now);

  private static SlurmJob job(long id, String user, String comment) {
    return new SlurmJob(id, id, "sim", user, "", "", comment, "", "n1");
  }

  private void site(int count) {
    jobs = LongStream.rangeClosed(1, count).mapToObj(id -> job(id, "u" + id % 10, "")).toList();
  }

  private CommandRunner.Output run(List<String> command) throws SignalException {
    if (command.get(0).equals("squeue")) {
      squeues.add(String.join(" ", command));
      now += 3 * MILLI * slowness;
      return new CommandRunner.Output(0, queue(), "");
    }
    if (command.equals(List.of("sstat", "--version"))) {
      return new CommandRunner.Output(0, "slurm 22.05.8", "");
    }
    if (command.get(0).equals("scontrol")) {
      return new CommandRunner.Output(0, "SlurmctldParameters     = (null)\n", "");
    }
    String ids = command.get(command.size() - 1);
    var asked = new HashSet<Long>();
    for (String id : ids.split(",", -1)) {
      asked.add(Long.parseLong(id));
    }
    sstats.add(asked);
    if (asked.stream().anyMatch(mute::contains)) {
      now += 3000 * MILLI;
      throw SignalException.failed("sstat did not end within 3000 ms");
    }
    now += STEP_LIST * slowness * asked.size();
    return sstat(asked);
  }

  private CommandRunner.Output sstat(Set<Long> asked) {
    var text = new StringBuilder();
    var errors = new StringBuilder();
    for (SlurmJob job : jobs) {
      if (asked.contains(job.id())) {
        if (deniedUsers.contains(job.user())) {
          errors.append(
              "sstat: error: problem getting step_layout for StepId=%d.0: Invalid user id%n"
                  .formatted(job.id()));
        } else {
          long bytes = busy.contains(job.id()) ? now / 100 : 0; // 10 MB/s
          String usage = gathers ? "cpu=1,fs/disk=" + bytes : "";
          text.append(job.id()).append(".0|").append(usage).append("|\n");
        }
      }
    }
    return new CommandRunner.Output(0, text.toString(), errors.toString());
  }

  private String queue() {
    return jobs.stream()
        .map(
            j ->
                """
                {"job_id": %d, "name": "sim", "user_name": "%s", "job_state": ["RUNNING"],
                 "comment": "%s"}"""
                    .formatted(j.id(), j.user(), j.comment()))
        .collect(Collectors.joining(",", "{\"jobs\": [", "]}"));
  }

  /** Polls as the poller does, each second; the last sightings. */
  private List<Sighting> poll(int seconds) throws Exception {
    long end = now + Duration.ofSeconds(seconds).toNanos();
    List<Sighting> last = List.of();
    while (now < end) {
      last = sampler.sample();
      rounds.add(last);
      long rest = Math.min(sampler.rest().toNanos(), Duration.ofSeconds(4).toNanos());
      now += Math.max(Duration.ofSeconds(1).toNanos(), rest);
    }
    return last;
  }

  @Test
  void aThousandJobsCostOneListOfJobsAndOneOfStepsASecondAtMost() throws Exception {
    site(1000);
    poll(60);
    System.out.printf(
        "1,000 jobs, 60 s: %d squeue, %d sstat for %d jobs%n",
        squeues.size(), sstats.size(), sstats.stream().mapToInt(Set::size).sum());
    assertThat(squeues).hasSizeBetween(40, 60);
    assertThat(sstats).hasSizeBetween(30, 60).allMatch(asked -> asked.size() <= 64);
    assertThat(sstats.stream().flatMap(Set::stream).distinct())
        .as("each job has its turn within a minute")
        .hasSize(1000);
  }

  /** Whoever does I/O is asked for each time, though others wait. */
  @Test
  void theFewThatDoIoAreSeenEachSecond() throws Exception {
    site(1000);
    busy.add(500L);
    poll(60);
    int before = sstats.size();
    List<Sighting> last = poll(20);
    assertThat(sstats.subList(before, sstats.size())).allMatch(asked -> asked.contains(500L));
    assertThat(last)
        .filteredOn(s -> s.application().endsWith("#500"))
        .singleElement()
        .satisfies(s -> assertThat(s.bytesPerSecond()).isBetween(9.9e6, 10.1e6));
  }

  /** Those that are followed stay, or each phase would seem over at once; and nobody says more. */
  @Test
  void ofMoreThatDoIoThanOneCallTellsOfTheSameAreFollowed() throws Exception {
    site(1000);
    LongStream.rangeClosed(1, 400).forEach(busy::add);
    poll(60);
    rounds.clear();
    poll(20);
    var followed = rounds.stream().map(SlurmSiteTest::moving).toList();
    assertThat(followed.get(0)).hasSizeGreaterThanOrEqualTo(48);
    assertThat(followed).allMatch(each -> each.containsAll(followed.get(0)));
    assertThat(seenJobs()).isBetween(600L, 700L);
    assertThat(sampler.blindness().seen())
        .endsWith(", " + (1000 - seenJobs()) + " that do I/O wait for their turn");
    busy.removeIf(id -> id > 20);
    poll(120);
    rounds.clear();
    poll(10);
    assertThat(rounds).allMatch(round -> moving(round).size() == 20);
    assertThat(seenJobs()).as("the places are enough again").isEqualTo(1000);
  }

  @Test
  void whereSlurmAnswersForOneJobAtATimeOneAfterTheOtherIsSeen() throws Exception {
    site(2);
    slowness = 200;
    busy.add(1L);
    poll(120);
    assertThat(sstats.get(sstats.size() - 1)).hasSize(1);
    rounds.clear();
    poll(120);
    assertThat(rounds.stream().filter(round -> moving(round).contains("sim@u1#1")).count())
        .isBetween(rounds.size() / 2L - 2, rounds.size() / 2L + 2);
    assertThat(sstats.subList(sstats.size() - 4, sstats.size()))
        .as("another job has its turn")
        .contains(Set.of(2L));
    busy.add(2L);
    poll(60);
    rounds.clear();
    poll(120);
    for (String job : List.of("sim@u1#1", "sim@u2#2")) {
      assertThat(rounds.stream().filter(round -> moving(round).contains(job))).isNotEmpty();
    }
    assertThat(seenJobs()).isEqualTo(1);
  }

  /** At the rate of {@link #busy} jobs, which it is seen to have. */
  private static Set<String> moving(List<Sighting> round) {
    return round.stream()
        .filter(s -> s.bytesPerSecond() > 9.9e6 && s.bytesPerSecond() < 10.1e6)
        .map(Sighting::application)
        .collect(Collectors.toSet());
  }

  private long seenJobs() {
    return Long.parseLong(
        sampler.blindness().seen().replaceAll("the I/O of (\\d+) of \\d+ running jobs.*", "$1"));
  }

  @Test
  void aSlowSlurmctldIsAskedLess() throws Exception {
    site(1000);
    slowness = 200; // 0.4 s for the steps of one job, 0.6 s for the queue
    poll(120);
    assertThat(sstats.size()).as("asked in 120 s").isLessThanOrEqualTo(40);
    assertThat(sstats.get(sstats.size() - 1)).as("for one job").hasSize(1);
    assertThat(squeues.size()).isLessThanOrEqualTo(25);
  }

  @Test
  void whoMayAskForHisOwnJobsOnlySaysForWhomHeIsBlind() throws Exception {
    jobs = List.of(job(1, "alice", ""), job(2, "bob", ""), job(3, "bob", ""), job(4, "carol", ""));
    deniedUsers.addAll(Set.of("bob", "carol"));
    busy.add(1L);
    List<Sighting> last = poll(30);
    assertThat(last).extracting(Sighting::application).containsExactly("sim@alice#1");
    assertThat(last.get(0).bytesPerSecond()).isGreaterThan(9e6);
    assertThat(sampler.blindness().why())
        .contains("sstat is denied for the jobs of bob, carol, 3 of 4", "ask for ");
    assertThat(sampler.blindness().complete()).isFalse();
    assertThat(sampler.blindness().describe())
        .startsWith("the I/O of 1 of 4 running jobs is seen; sstat is denied");
    assertThat(sstats.stream().filter(asked -> asked.size() > 1))
        .as("nobody asks in vain again, before a minute is over")
        .hasSize(1);
    deniedUsers.clear();
    poll(60);
    assertThat(sampler.blindness())
        .isEqualTo(Blindness.NONE.seeing("the I/O of 4 of 4 running jobs is seen"));
    assertThat(poll(1)).hasSize(4);
  }

  /** The comment is read by everybody, whatever sstat says. */
  @Test
  void aDeniedJobsOwnWordIsHeard() throws Exception {
    jobs = List.of(job(2, "bob", "phase=io"), job(3, "bob", ""));
    deniedUsers.add("bob");
    assertThat(poll(10))
        .singleElement()
        .satisfies(
            s -> {
              assertThat(s.application()).isEqualTo("sim@bob#2");
              assertThat(s.said()).isTrue();
              assertThat(s.bytes()).isZero();
            });
    assertThat(sampler.blindness().complete()).isTrue();
    assertThat(sstats).as("once a minute").hasSize(1);
  }

  @Test
  void aSlurmThatGathersNothingSaysSo() throws Exception {
    jobs = List.of(job(1, "alice", ""));
    gathers = false;
    poll(3);
    assertThat(sampler.blindness().complete()).isTrue();
    assertThat(sampler.blindness().why()).contains("JobAcctGatherType", "jobacct_gather/linux");
    assertThat(sampler.blindness().seen()).isEqualTo("the I/O of 0 of 1 running jobs is seen");
  }

  /** A node without slurmd costs the deadline, and must not cost the other jobs' figures. */
  @Test
  void aJobWhoseNodesDoNotAnswerIsFoundAndLeftAlone() throws Exception {
    site(16);
    mute.add(7L);
    int failures = 0;
    for (int i = 0; i < 12; i++) {
      try {
        sampler.sample();
      } catch (SignalException e) {
        failures++;
        assertThat(e).hasMessageContaining("sstat did not end within 3000 ms");
      }
      now += Duration.ofSeconds(1).toNanos();
    }
    assertThat(failures).isBetween(1, 4);
    assertThat(sampler.blindness().why()).contains("no slurmd answers sstat for 1 job, such as 7");
    assertThat(sampler.blindness().seen()).isEqualTo("the I/O of 15 of 16 running jobs is seen");
    assertThat(sampler.sample()).hasSize(15);
    now += Duration.ofMinutes(1).toNanos();
    assertThatThrownBy(sampler::sample)
        .as("it is tried again, alone, once a minute")
        .isInstanceOf(SignalException.class);
    assertThat(sstats.get(sstats.size() - 1)).containsExactly(7L);
    assertThat(sampler.sample()).hasSize(15);
  }

  /** Whoever asks for that job alone does not forget the others meanwhile. */
  @Test
  void aJobWhoseNodesAnswerAgainInterruptsNobody() throws Exception {
    site(8);
    busy.add(3L);
    mute.add(7L);
    for (int second = 0; second < 75; second++) {
      if (second == 40) {
        mute.clear();
      }
      try {
        rounds.add(sampler.sample());
      } catch (SignalException e) {
        rounds.clear();
      }
      now += Duration.ofSeconds(1).toNanos();
    }
    assertThat(sstats).contains(Set.of(7L));
    assertThat(rounds).hasSizeGreaterThan(60);
    assertThat(rounds.subList(5, rounds.size()))
        .allMatch(round -> moving(round).equals(Set.of("sim@u3#3")));
    assertThat(sampler.blindness().seen()).isEqualTo("the I/O of 8 of 8 running jobs is seen");
  }
}
