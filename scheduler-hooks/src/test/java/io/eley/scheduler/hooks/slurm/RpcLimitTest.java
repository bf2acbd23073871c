package io.eley.scheduler.hooks.slurm;

import static io.eley.scheduler.hooks.slurm.LimitedSlurm.BUCKET;
import static io.eley.scheduler.hooks.slurm.LimitedSlurm.SECOND;
import static io.eley.scheduler.hooks.slurm.LimitedSlurm.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Sighting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A slurmctld that limits each user's RPCs, as 23.02 and newer do; time passes here alone. */
@Timeout(60)
class RpcLimitTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  @TempDir private Path temp;
  private final LimitedSlurm slurm = new LimitedSlurm();

  private long longestUnseen() {
    return LongStream.range(1, slurm.sstats.size())
        .map(i -> slurm.sstats.get((int) i) - slurm.sstats.get((int) i - 1))
        .max()
        .orElseThrow();
  }

  /** What is left is the user's, who types sbatch and squeue. */
  @ParameterizedTest
  @CsvSource({
    "2, rl_enable, 1, 1000, 4.1",
    "2, rl_enable, 64, 1000, 4.6",
    "2, rl_enable, 1, 250, 4.1",
    "10, 'rl_enable,rl_refill_rate=10', 1, 1000, 1.1",
    "10, 'rl_enable,rl_refill_rate=10', 64, 1000, 1.1",
    "100, 'enable_configless,RL_ENABLE,rl_refill_rate=100', 64, 1000, 1.1",
    "100, 'enable_configless,RL_ENABLE,rl_refill_rate=100', 64, 250, 0.4"
  })
  void aDeploymentTakesHalfOfWhatAUserIsGrantedAtMost(
      int perSecond, String parameters, int running, int intervalMillis, double unseenSeconds)
      throws Exception {
    slurm.limit(perSecond, parameters);
    slurm.run(running);
    var sampler = slurm.sampler("alice", Duration.ofMillis(intervalMillis), Optional.empty());
    List<Sighting> last = slurm.poll(sampler, Duration.ofMillis(intervalMillis), TEN_MINUTES);
    assertThat(slurm.fewest).as("tokens that are left of %d", BUCKET).isGreaterThanOrEqualTo(10);
    assertThat(slurm.rpcs).isBetween(500L, 300L * perSecond + BUCKET);
    assertThat(longestUnseen() / 1e9).isLessThan(unseenSeconds);
    assertThat(last).hasSizeLessThanOrEqualTo(running);
    if (running == 1) {
      assertThat(last.get(0).bytesPerSecond()).isBetween(9.9e6, 10.1e6);
    }
  }

  @Test
  void tenDeploymentsTakeWhatOneTakes() throws Exception {
    slurm.limit(2, "rl_enable");
    slurm.run(1);
    var shared = Optional.of(temp.resolve("neighbours/slurm-hpc"));
    var ten = IntStream.range(0, 10).mapToObj(i -> slurm.sampler("alice", SECOND, shared)).toList();
    long end = slurm.now + Duration.ofMinutes(2).toNanos();
    while (slurm.now < end) {
      for (SlurmSampler each : ten) {
        assertThat(each.sample()).hasSize(1);
      }
      slurm.now += SECOND.toNanos();
    }
    assertThat(slurm.fewest).as("each asks for the limit itself").isGreaterThanOrEqualTo(5);
    assertThat(slurm.rpcs).isLessThanOrEqualTo(120 + BUCKET);
  }

  @ParameterizedTest
  @CsvSource({
    "root, rl_enable",
    "slurm, rl_enable",
    "alice, (null)",
    "alice, 'enable_configless,idle_on_node_suspend'"
  })
  void whoIsNotLimitedIsSeenEachSecond(String user, String parameters) throws Exception {
    slurm.config = config(parameters);
    slurm.run(64);
    var sampler = slurm.sampler(user);
    slurm.poll(sampler, SECOND, Duration.ofSeconds(100));
    assertThat(slurm.sstats).hasSizeBetween(70, 100);
    assertThat(sampler.blindness().seen()).isEqualTo("the I/O of 64 of 64 running jobs is seen");
  }

  @Test
  void whatTheLimitTakesAwayIsSaid() throws Exception {
    slurm.limit(2, "rl_enable");
    slurm.run(1);
    var sampler = slurm.sampler("alice");
    sampler.sample();
    assertThat(sampler.blindness().describe())
        .isEqualTo(
            "the I/O of 1 of 1 running jobs is seen, 1 at a time each 4 s: Slurm grants a user"
                + " 2 RPCs a second (rl_enable), ask for a board");
    assertThat(sampler.blindness().why()).as("it sees them").isEmpty();
  }

  @Test
  void aLimitThatTakesNothingAwayIsNotSaid() throws Exception {
    slurm.limit(10, "rl_enable,rl_refill_rate=10");
    slurm.run(1);
    var sampler = slurm.sampler("alice");
    sampler.sample();
    assertThat(sampler.blindness().seen()).isEqualTo("the I/O of 1 of 1 running jobs is seen");
  }

  @Test
  void aSlurmThatDoesNotSayKeepsTheLimitThatItHasSaid() throws Exception {
    slurm.limit(2, "rl_enable");
    slurm.run(1);
    var sampler = slurm.sampler("alice");
    slurm.poll(sampler, SECOND, TEN_MINUTES.dividedBy(2));
    slurm.answersScontrol = false;
    slurm.poll(sampler, SECOND, TEN_MINUTES.multipliedBy(2));
    assertThat(slurm.scontrols).as("asked each ten minutes").isEqualTo(3);
    assertThat(sampler.describeLimit()).contains("each 4 s");
    slurm.answersScontrol = true;
    slurm.config = config("(null)");
    slurm.poll(sampler, SECOND, TEN_MINUTES);
    assertThat(sampler.describeLimit()).isEmpty();
  }

  /** Its bucket may have been empty when several deployments began. */
  @Test
  void aSlurmThatDoesNotSayAtFirstIsAskedAgainAfterAMinute() throws Exception {
    slurm.limit(2, "rl_enable");
    slurm.run(1);
    slurm.answersScontrol = false;
    var sampler = slurm.sampler("alice");
    slurm.poll(sampler, SECOND, Duration.ofSeconds(90));
    assertThat(slurm.scontrols).isEqualTo(2);
    assertThat(sampler.describeLimit()).isEmpty();
    slurm.answersScontrol = true;
    slurm.poll(sampler, SECOND, Duration.ofSeconds(60));
    assertThat(sampler.describeLimit()).contains("each 4 s");
    slurm.poll(sampler, SECOND, TEN_MINUTES);
    assertThat(slurm.scontrols).as("then each ten minutes").isEqualTo(4);
  }

  @Test
  void readsTheRateThePeriodAndTheBucket() {
    assertThat(RpcLimit.of(config("rl_enable"), "alice")).contains(new RpcLimit(2, 30));
    assertThat(
            RpcLimit.of(
                config("a=1,rl_bucket_size=50,rl_enable,rl_refill_period=4,rl_refill_rate=10"),
                "alice"))
        .contains(new RpcLimit(2.5, 50));
    assertThat(RpcLimit.of(config("rl_enable,rl_refill_rate=100"), "alice"))
        .as("no more than a bucket at once")
        .contains(new RpcLimit(30, 30));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rl_enable,rl_refill_rate=0,rl_refill_period=0,rl_bucket_size=0",
        "rl_enable,rl_refill_rate=-3,rl_refill_period=,rl_bucket_size=x",
        "rl_enable,rl_refill_rate=99999999999999999999"
      })
  void whatMakesNoSenseIsTakenForSlurmsDefault(String parameters) {
    assertThat(RpcLimit.of(config(parameters), "alice")).contains(new RpcLimit(2, 30));
  }

  @ParameterizedTest
  @CsvSource({"0.000000001, 1, 1, 3600", "0.5, 3, 1, 16", "1000000000, 1000000, 64, 1"})
  void anyLimitAsksForOneJobAtLeast(double perSecond, int bucket, int atOnce, long seconds) {
    var limit = new RpcLimit(perSecond, bucket);
    var within = limit.within(new SlurmSampler.Frequency(SECOND, SECOND, Optional.empty()));
    assertThat(within.steps()).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(limit.jobs(within)).isEqualTo(atOnce);
  }
}
