package io.eley.scheduler.hooks.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Sighting;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.signal.SignalException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long TEN_MINUTES = Duration.ofMinutes(10).toNanos();
  private static final Duration DEADLINE = Duration.ofSeconds(3);
  private static final Duration AN_RPC_TAKES = Duration.ofMillis(1);
  private static final int BUCKET = 30;

  @TempDir private Path temp;
  private String config = "";
  private boolean answersScontrol = true;
  private int rate;
  private List<SlurmJob> jobs = List.of();
  private long nanos = 7_000_000_000L;

  // of alice's bucket, where there is a rate
  private double tokens = BUCKET;
  private double fewest = BUCKET;
  private long filledAt = nanos / 1_000_000_000L;

  private long rpcs;
  private final List<Long> sstats = new ArrayList<>();
  private int scontrols;

  private final SlurmClock clock =
      new SlurmClock() {
        @Override
        public long nanos() {
          return nanos;
        }

        @Override
        public long millis() {
          return nanos / 1_000_000;
        }

        @Override
        public void rest(Duration time) {
          nanos += time.toNanos();
        }
      };

  private void limit(int perSecond, String more) {
    rate = perSecond;
    config = config(more);
  }

  private static String config(String parameters) {
    return """
        Configuration data as of 2026-11-28T10:00:00
        SlurmUser               = slurm(64030)
        SlurmctldParameters     = %s
        SlurmctldTimeout        = 120 sec
        """
        .formatted(parameters);
  }

  private void run(int count) {
    jobs =
        LongStream.rangeClosed(1, count)
            .mapToObj(id -> new SlurmJob(id, id, "sim", "alice", "", "", "", "", "n1"))
            .toList();
  }

  /** Slurm's programs sleep where they are told to come back. */
  private void rpc() {
    rpcs++;
    nanos += AN_RPC_TAKES.toNanos();
    if (rate == 0) {
      return;
    }
    fill();
    while (tokens < 1) {
      nanos += SECOND.toNanos();
      fill();
    }
    tokens--;
    fewest = Math.min(fewest, tokens);
  }

  /** All of a second's at once, as slurmctld does. */
  private void fill() {
    long second = nanos / 1_000_000_000L;
    tokens = Math.min(BUCKET, tokens + (second - filledAt) * (double) rate);
    filledAt = second;
  }

  private Output slurm(List<String> command) throws SignalException {
    long began = nanos;
    Output output = answer(command);
    if (nanos - began > DEADLINE.toNanos()) {
      throw SignalException.failed(command.get(0) + " did not end within 3000 ms");
    }
    return output;
  }

  private Output answer(List<String> command) {
    if (command.contains("--version")) {
      return new Output(0, "slurm 23.11.4", "");
    }
    rpc();
    if (command.get(0).equals("scontrol")) {
      scontrols++;
      return new Output(answersScontrol ? 0 : 1, answersScontrol ? config : "", "");
    }
    if (command.get(0).equals("squeue")) {
      return new Output(0, queue(), "");
    }
    sstats.add(nanos);
    String[] asked = command.get(command.size() - 1).split(",", -1);
    IntStream.range(1, 3 * asked.length).forEach(i -> rpc());
    return new Output(
        0, // 10 MB/s of each
        IntStream.range(0, asked.length)
            .mapToObj(i -> asked[i] + ".0|fs/disk=" + nanos / 100 + "|fs/disk=0\n")
            .collect(Collectors.joining()),
        "");
  }

  private String queue() {
    return jobs.stream()
        .map(
            job ->
                "{\"job_id\":%d,\"name\":\"sim\",\"user_name\":\"alice\",\"job_state\":\"RUNNING\"}"
                    .formatted(job.id()))
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
  }

  private SlurmSampler sampler(String user, Duration interval, Optional<Path> shared) {
    return new SlurmSampler(
        new SharedAnswers(this::slurm, clock, shared),
        HpcRule.parse("*"),
        new SlurmSampler.Frequency(interval, interval, shared),
        user,
        clock::nanos);
  }

  private SlurmSampler sampler(String user) {
    return sampler(user, SECOND, Optional.empty());
  }

  /** As the poller does. */
  private List<Sighting> poll(SlurmSampler sampler, Duration interval, long time) throws Exception {
    long end = nanos + time;
    List<Sighting> last = List.of();
    while (nanos < end) {
      last = sampler.sample();
      Duration most = interval.multipliedBy(4);
      Duration rest = sampler.rest().compareTo(most) < 0 ? sampler.rest() : most;
      nanos += (rest.compareTo(interval) > 0 ? rest : interval).toNanos();
    }
    return last;
  }

  private long longestUnseen() {
    return LongStream.range(1, sstats.size())
        .map(i -> sstats.get((int) i) - sstats.get((int) i - 1))
        .max()
        .orElseThrow();
  }

  /** What is left is the user's, who types sbatch and squeue. */
  @ParameterizedTest
  @CsvSource({
    "2, rl_enable, 1, 1000, 4.1",
    "2, rl_enable, 64, 1000, 4.1",
    "2, rl_enable, 1, 250, 4.1",
    "10, 'rl_enable,rl_refill_rate=10', 1, 1000, 1.1",
    "10, 'rl_enable,rl_refill_rate=10', 64, 1000, 1.1",
    "100, 'enable_configless,RL_ENABLE,rl_refill_rate=100', 64, 1000, 1.1",
    "100, 'enable_configless,RL_ENABLE,rl_refill_rate=100', 64, 250, 0.4"
  })
  void aDeploymentTakesHalfOfWhatAUserIsGrantedAtMost(
      int perSecond, String parameters, int running, int intervalMillis, double unseenSeconds)
      throws Exception {
    limit(perSecond, parameters);
    run(running);
    var sampler = sampler("alice", Duration.ofMillis(intervalMillis), Optional.empty());
    List<Sighting> last = poll(sampler, Duration.ofMillis(intervalMillis), TEN_MINUTES);
    assertThat(fewest).as("tokens that are left of %d", BUCKET).isGreaterThanOrEqualTo(10);
    assertThat(rpcs).isBetween(500L, 300L * perSecond + BUCKET);
    assertThat(longestUnseen() / 1e9).isLessThan(unseenSeconds);
    assertThat(last).hasSizeLessThanOrEqualTo(running);
    if (running == 1) {
      assertThat(last.get(0).bytesPerSecond()).isBetween(9.9e6, 10.1e6);
    }
  }

  @Test
  void tenDeploymentsTakeWhatOneTakes() throws Exception {
    limit(2, "rl_enable");
    run(1);
    var shared = Optional.of(temp.resolve("neighbours/slurm-hpc"));
    var ten = IntStream.range(0, 10).mapToObj(i -> sampler("alice", SECOND, shared)).toList();
    long end = nanos + Duration.ofMinutes(2).toNanos();
    while (nanos < end) {
      for (SlurmSampler each : ten) {
        assertThat(each.sample()).hasSize(1);
      }
      nanos += SECOND.toNanos();
    }
    assertThat(fewest).isGreaterThanOrEqualTo(10);
    assertThat(rpcs).as("each asks for the limit itself").isLessThanOrEqualTo(120 + BUCKET);
  }

  @ParameterizedTest
  @CsvSource({
    "root, rl_enable",
    "slurm, rl_enable",
    "alice, (null)",
    "alice, 'enable_configless,idle_on_node_suspend'"
  })
  void whoIsNotLimitedIsSeenEachSecond(String user, String parameters) throws Exception {
    config = config(parameters);
    run(64);
    var sampler = sampler(user);
    poll(sampler, SECOND, Duration.ofSeconds(100).toNanos());
    assertThat(sstats).hasSizeBetween(70, 100);
    assertThat(sampler.blindness().seen()).isEqualTo("the I/O of 64 of 64 running jobs is seen");
  }

  @Test
  void whatTheLimitTakesAwayIsSaid() throws Exception {
    limit(2, "rl_enable");
    run(1);
    var sampler = sampler("alice");
    sampler.sample();
    assertThat(sampler.blindness().describe())
        .isEqualTo(
            "the I/O of 1 of 1 running jobs is seen, 1 at a time each 4 s: Slurm grants a user"
                + " 2 RPCs a second (rl_enable), ask for a board");
    assertThat(sampler.blindness().why()).as("it sees them").isEmpty();
  }

  @Test
  void aLimitThatTakesNothingAwayIsNotSaid() throws Exception {
    limit(10, "rl_enable,rl_refill_rate=10");
    run(1);
    var sampler = sampler("alice");
    sampler.sample();
    assertThat(sampler.blindness().seen()).isEqualTo("the I/O of 1 of 1 running jobs is seen");
  }

  @Test
  void aSlurmThatDoesNotSayKeepsTheLimitThatItHasSaid() throws Exception {
    limit(2, "rl_enable");
    run(1);
    var sampler = sampler("alice");
    poll(sampler, SECOND, TEN_MINUTES / 2);
    answersScontrol = false;
    poll(sampler, SECOND, 2 * TEN_MINUTES);
    assertThat(scontrols).as("asked each ten minutes").isEqualTo(3);
    assertThat(sampler.describeLimit()).contains("each 4 s");
    answersScontrol = true;
    config = config("(null)");
    poll(sampler, SECOND, TEN_MINUTES);
    assertThat(sampler.describeLimit()).isEmpty();
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
