package io.eley.scheduler.hooks.slurm;

import static io.eley.scheduler.hooks.slurm.LimitedSlurm.SECOND;
import static io.eley.scheduler.hooks.slurm.LimitedSlurm.job;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What alice sees where slurmctld grants her two RPCs a second: one job at a time. */
@Timeout(60)
class LimitedUserTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int OTHERS = 50;

  /** Listed behind 50 other users' jobs. */
  private static final long OWN = 1000;

  private final LimitedSlurm slurm = new LimitedSlurm();

  LimitedUserTest() {
    slurm.limit(2, "rl_enable");
  }

  private static List<SlurmJob> jobsOfOthers() {
    return LongStream.rangeClosed(1, OTHERS).mapToObj(id -> job(id, "u" + id)).toList();
  }

  private void runBesideOthers() {
    slurm.jobs = Stream.concat(jobsOfOthers().stream(), Stream.of(job(OWN, "alice"))).toList();
  }

  private static Set<Long> without(Set<Long> asked, long job) {
    var others = new HashSet<>(asked);
    others.remove(job);
    return others;
  }

  /** Where one job fits and where three do. */
  @ParameterizedTest
  @CsvSource({"2, rl_enable", "20, 'rl_enable,rl_refill_rate=20'"})
  void othersWhoseJobsAreDeniedTakeNoTurnOfOnesOwn(int perSecond, String parameters)
      throws Exception {
    slurm.limit(perSecond, parameters);
    runBesideOthers();
    var sampler = slurm.sampler("alice");
    slurm.poll(sampler, SECOND, HOUR.multipliedBy(2).plusMinutes(1));
    assertThat(slurm.askedFor.get(0)).as("the first turn").contains(OWN);
    assertThat(slurm.askedFor.stream().filter(asked -> !asked.contains(OWN)).count())
        .as("of %d turns others' alone, one an hour", slurm.askedFor.size())
        .isLessThanOrEqualTo(3);
    assertThat(slurm.askedFor.stream().filter(asked -> !without(asked, OWN).isEmpty()).count())
        .as("of %d turns others'", slurm.askedFor.size())
        .isBetween(3L, 4L);
    assertThat(sampler.blindness().describe())
        .startsWith("the I/O of 1 of 51 running jobs is seen, ")
        .contains("; sstat is denied for the jobs of u1, u10, u11 and 47 more users, 50 of 51: ");
    assertThat(sampler.blindness().complete()).isFalse();
  }

  @Test
  void whoMayAskForAllJobsSeesAll() throws Exception {
    slurm.operator = true;
    runBesideOthers();
    var sampler = slurm.sampler("alice");
    slurm.poll(sampler, SECOND, HOUR);
    assertThat(slurm.askedFor.get(0)).as("the first turn").contains(OWN);
    assertThat(slurm.askedFor.stream().flatMap(Set::stream).distinct()).hasSize(OTHERS + 1);
    assertThat(sampler.blindness().why()).isEmpty();
  }

  /** After an hour at the latest. */
  @Test
  void whoBecomesAnOperatorSeesAll() throws Exception {
    runBesideOthers();
    var sampler = slurm.sampler("alice");
    slurm.poll(sampler, SECOND, HOUR.dividedBy(2));
    slurm.operator = true;
    slurm.poll(sampler, SECOND, HOUR);
    assertThat(slurm.askedFor.stream().flatMap(Set::stream).distinct()).hasSize(OTHERS + 1);
    assertThat(sampler.blindness().why()).isEmpty();
  }

  /** As in a container that does not know its user: nobody's denial may hide what is his. */
  @Test
  void whoDoesNotKnowHisNameSeesHisJobs() throws Exception {
    runBesideOthers();
    var sampler = slurm.sampler("?");
    slurm.poll(sampler, SECOND, HOUR.dividedBy(2));
    int half = slurm.askedFor.size();
    slurm.poll(sampler, SECOND, HOUR.dividedBy(3));
    assertThat(slurm.askedFor.subList(half, slurm.askedFor.size()))
        .allMatch(asked -> asked.equals(Set.of(OWN)));
  }
}
