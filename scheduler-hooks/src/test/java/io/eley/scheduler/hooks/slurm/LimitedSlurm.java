package io.eley.scheduler.hooks.slurm;

import io.eley.controller.phase.Sighting;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.signal.SignalException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A slurmctld that limits alice's RPCs, as 23.02 and newer do; time passes here alone. */
final class LimitedSlurm implements SlurmClock {
  static final Duration SECOND = Duration.ofSeconds(1);
  static final int BUCKET = 30;
  private static final Duration DEADLINE = Duration.ofSeconds(3);
  private static final Duration AN_RPC_TAKES = Duration.ofMillis(1);

  String config = "";
  boolean answersScontrol = true;
  List<SlurmJob> jobs = List.of();
  long now = 7_000_000_000L;

  /** The fewest tokens that were left. */
  double fewest = BUCKET;

  long rpcs;
  int scontrols;

  /** When sstat was asked. */
  final List<Long> sstats = new ArrayList<>();

  /** And for which jobs. */
  final List<Set<Long>> askedFor = new ArrayList<>();

  /** By job, since when it is idle. */
  final Map<Long, Long> idle = new HashMap<>();

  /** Whether alice may ask for others' jobs. */
  boolean operator;

  private int rate;
  private double tokens = BUCKET;
  private long filledAt = now / 1_000_000_000L;

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public long millis() {
    return now / 1_000_000;
  }

  @Override
  public void rest(Duration time) {
    now += time.toNanos();
  }

  void limit(int perSecond, String parameters) {
    rate = perSecond;
    config = config(parameters);
  }

  static String config(String parameters) {
    return """
    Configuration data as of 2026-11-28T10:00:00
    SlurmUser               = slurm(64030)
    SlurmctldParameters     = %s
    SlurmctldTimeout        = 120 sec
    """
        .formatted(parameters);
  }

  static SlurmJob job(long id, String user) {
    return new SlurmJob(id, id, "sim", user, "", "", "", "", "n1");
  }

  /** So many jobs of alice's. */
  void run(int count) {
    jobs = LongStream.rangeClosed(1, count).mapToObj(id -> job(id, "alice")).toList();
  }

  /** Slurm's programs sleep where they are told to come back. */
  private void rpc() {
    rpcs++;
    now += AN_RPC_TAKES.toNanos();
    if (rate == 0) {
      return;
    }
    fill();
    while (tokens < 1) {
      now += SECOND.toNanos();
      fill();
    }
    tokens--;
    fewest = Math.min(fewest, tokens);
  }

  /** All of a second's at once, as slurmctld does. */
  private void fill() {
    long second = now / 1_000_000_000L;
    tokens = Math.min(BUCKET, tokens + (second - filledAt) * (double) rate);
    filledAt = second;
  }

  private Output run(List<String> command) throws SignalException {
    long began = now;
    Output output = answer(command);
    if (now - began > DEADLINE.toNanos()) {
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
      rpc();
      scontrols++;
      return new Output(answersScontrol ? 0 : 1, answersScontrol ? config : "", "");
    }
    if (command.get(0).equals("squeue")) {
      return new Output(0, queue(), "");
    }
    sstats.add(now);
    var asked = new TreeSet<Long>();
    for (String id : command.get(command.size() - 1).split(",", -1)) {
      asked.add(Long.parseLong(id));
    }
    askedFor.add(asked);
    IntStream.range(1, 3 * asked.size()).forEach(i -> rpc());
    return new Output(0, each(asked, true), each(asked, false));
  }

  private long bytes(SlurmJob job) {
    return Math.min(now, idle.getOrDefault(job.id(), now)) / 100;
  }

  /**
   * 10 MB/s of each job that alice may ask for and is not idle, or a complaint for each of the
   * others.
   */
  private String each(Set<Long> asked, boolean answered) {
    return jobs.stream()
        .filter(job -> asked.contains(job.id()))
        .filter(job -> answered == (operator || job.user().equals("alice")))
        .map(
            job ->
                answered
                    ? "%d.0|fs/disk=%d|fs/disk=0%n".formatted(job.id(), bytes(job))
                    : "sstat: error: problem getting step_layout for StepId=%d.0: Invalid user id%n"
                        .formatted(job.id()))
        .collect(Collectors.joining());
  }

  private String queue() {
    return jobs.stream()
        .map(
            job ->
                "{\"job_id\":%d,\"name\":\"sim\",\"user_name\":\"%s\",\"job_state\":\"RUNNING\"}"
                    .formatted(job.id(), job.user()))
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
  }

  SlurmSampler sampler(String user, Duration interval, Optional<Path> shared) {
    return new SlurmSampler(
        new SharedAnswers(this::run, this, shared),
        HpcRule.parse("*"),
        new SlurmSampler.Frequency(interval, interval, shared),
        user,
        this::nanos);
  }

  SlurmSampler sampler(String user) {
    return sampler(user, SECOND, Optional.empty());
  }

  /** As the poller does; the last sample. */
  List<Sighting> poll(SlurmSampler sampler, Duration interval, Duration time) throws Exception {
    long end = now + time.toNanos();
    List<Sighting> last = List.of();
    while (now < end) {
      last = sampler.sample();
      Duration most = interval.multipliedBy(4);
      Duration rest = sampler.rest().compareTo(most) < 0 ? sampler.rest() : most;
      now += (rest.compareTo(interval) > 0 ? rest : interval).toNanos();
    }
    return last;
  }
}
