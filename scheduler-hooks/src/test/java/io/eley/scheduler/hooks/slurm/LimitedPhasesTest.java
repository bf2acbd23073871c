package io.eley.scheduler.hooks.slurm;

import static io.eley.scheduler.hooks.slurm.LimitedSlurm.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.PhaseThresholds;
import io.eley.controller.phase.SampledPhases;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceHealth;
import io.eley.scheduler.hooks.signal.PollTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Phases of alice's jobs where Slurm's limit of two RPCs a second leaves her one job at a time. */
@Timeout(60)
class LimitedPhasesTest implements PhaseListener {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final long MILLI = 1_000_000L;

  private final LimitedSlurm slurm = new LimitedSlurm();
  private SlurmSampler sampler = slurm.sampler("alice");
  private SampledPhases phases = phases(SECOND);
  private final List<String> events = new ArrayList<>();
  private final List<Sighting> seen = new ArrayList<>();
  private long closedAt;

  LimitedPhasesTest() {
    slurm.limit(2, "rl_enable");
  }

  @Override
  public void opened(Evidence phase) {
    events.add("opened " + phase.application());
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    events.add("closed " + phase.application() + " " + why);
    closedAt = at;
  }

  private SampledPhases phases(Duration interval) {
    return new SampledPhases(
        sampler.kind(new PollTiming(interval, Duration.ofSeconds(3))),
        new PhaseThresholds(4e6, Duration.ofMillis(750), Duration.ofSeconds(10)),
        this);
  }

  private void poll(Duration time) throws Exception {
    poll(SECOND, time);
  }

  private void poll(Duration interval, Duration time) throws Exception {
    long end = slurm.now + time.toNanos();
    while (slurm.now < end) {
      var sample = sampler.sample();
      phases.expire(slurm.now);
      assertThat(phases.health(slurm.now).state()).isNotEqualTo(SourceHealth.State.LOST);
      phases.noteInterval(sampler.interval());
      phases.accept(sample, slurm.now);
      seen.addAll(sample);
      slurm.now += interval.toNanos();
    }
  }

  private List<Sighting> of(long job) {
    return seen.stream().filter(s -> s.application().endsWith("#" + job)).toList();
  }

  private void runOneAtWork(int jobs) {
    slurm.run(jobs);
    LongStream.rangeClosed(2, jobs).forEach(id -> slurm.idle.put(id, 0L));
  }

  /** Each other job has its turn beside it, and the limit is kept. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10})
  void aPhaseThatIsFollowedIsWhole(int jobs) throws Exception {
    runOneAtWork(jobs);
    poll(TEN_MINUTES);
    assertThat(events).containsExactly("opened sim@alice#1");
    List<Sighting> looks = of(1);
    assertThat(looks.subList(jobs > 1 ? 2 : 1, looks.size()))
        .as("bytes are what was moved, and as of each look")
        .allMatch(look -> look.bytesPerSecond() > 9.9e6 && look.bytesPerSecond() < 10.1e6)
        .allMatch(look -> look.to() - look.from() < 4_600 * MILLI);
    for (long other = 2; other <= jobs; other++) {
      assertThat(of(other)).as("job %d", other).isNotEmpty();
    }
    assertThat(slurm.fewest).isGreaterThanOrEqualTo(10);
    assertThat(slurm.rpcs).isLessThanOrEqualTo(TEN_MINUTES.toSeconds() + LimitedSlurm.BUCKET);

    long end = slurm.now;
    slurm.idle.put(1L, end);
    poll(Duration.ofSeconds(15));
    assertThat(events).containsExactly("opened sim@alice#1", "closed sim@alice#1 " + Ending.QUIET);
    assertThat(closedAt - end).isBetween(-2_000 * MILLI, 4_600 * MILLI);
  }

  /** It is held for all the time, and nobody learns a rhythm of two that take turns. */
  @Test
  void ofTwoAtWorkOneIsFollowed() throws Exception {
    slurm.run(2);
    poll(TEN_MINUTES);
    assertThat(events).hasSize(1);
    assertThat(sampler.blindness().seen())
        .startsWith("the I/O of 1 of 2 running jobs is seen, 1 that do I/O wait for their turn")
        .contains(", 1 at a time each 4.5 s: ");
    String followed = events.get(0).endsWith("#1") ? "#1" : "#2";
    slurm.idle.put(followed.equals("#1") ? 1L : 2L, slurm.now);
    poll(Duration.ofSeconds(30));
    assertThat(events).hasSize(3);
    assertThat(events.get(1)).startsWith("closed").contains(followed);
    assertThat(events.get(2)).startsWith("opened").doesNotContain(followed);
  }

  /** It is never lost between two samples, and says how far off it is, until it has no limit. */
  @ParameterizedTest
  @CsvSource({
    "250, rl_enable, 4000, 7750",
    "1000, rl_enable, 4000, 10000",
    "1000, 'rl_enable,rl_refill_rate=1', 8000, 14000",
    "1000, 'rl_enable,rl_refill_period=3', 12000, 18000"
  })
  void samplesThatSlurmAllowsSeldomAreNotLate(
      long intervalMillis, String parameters, long apartMillis, long freshMillis) throws Exception {
    Duration interval = Duration.ofMillis(intervalMillis);
    slurm.limit(2, parameters);
    sampler = slurm.sampler("alice", interval, Optional.empty());
    phases = phases(interval);
    slurm.run(1);
    poll(interval, TEN_MINUTES);
    assertThat(events).containsExactly("opened sim@alice#1");
    assertThat(phases.kind().resolution()).hasMillis(apartMillis);
    assertThat(phases.kind().freshness()).hasMillis(freshMillis);
    slurm.limit(0, "");
    poll(interval, TEN_MINUTES.plusMinutes(1));
    assertThat(phases.kind()).isEqualTo(phases(interval).kind());
    assertThat(events).hasSize(1);
  }

  @Test
  void whereOneJobRunsNoTurnIsReckoned() throws Exception {
    slurm.run(1);
    poll(TEN_MINUTES);
    assertThat(slurm.askedFor).hasSizeGreaterThan(145).allMatch(asked -> asked.equals(Set.of(1L)));
  }
}
