package io.eley.scheduler.hooks.slurm;

import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.signal.ByteCounts;
import io.eley.scheduler.hooks.signal.PollTiming;
import io.eley.scheduler.hooks.signal.Sampler;
import io.eley.scheduler.hooks.signal.SignalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sees HPC jobs' I/O in Slurm's accounting: which jobs run, by {@code squeue --json} now and then;
 * what their steps have read and written, by {@code sstat} at each call; and the phase that they
 * report in their comment. Only the jobs' owner, an operator and root may ask {@code sstat} (its
 * man page).
 *
 * <p>What it cannot see: I/O by mmap, and jobs that {@code PrivateData} hides. Reads of {@code
 * /dev/zero} and of node-local disks count like any other.
 *
 * <p>Blocks for up to two deadlines. For one thread.
 */
public final class SlurmSampler implements Sampler {
  public static final String NAME = "slurm";

  /** The confidence of its samples while they are fresh: bytes of a job are certainly its own. */
  private static final double CONFIDENCE = 0.95;

  /** How Slurm's versions say that the jobs are somebody else's; with exit status 0. */
  private static final Pattern DENIED =
      Pattern.compile("denied|invalid user id", Pattern.CASE_INSENSITIVE);

  private final CommandRunner commands;
  private final HpcRule rule;
  private final LongSupplier clock;
  private final long queueNanos;
  private List<SlurmJob> jobs = List.of();
  private long askedAt;
  private boolean asked;
  private Map<String, Long> before = Map.of();
  private long beforeAt;

  /**
   * A sampler that has not asked yet.
   *
   * @param rule which jobs count
   * @param queueInterval how often Slurm is asked which jobs there are
   * @param clock nanoseconds of the coordinator's monotonic clock
   */
  public SlurmSampler(
      CommandRunner commands, HpcRule rule, Duration queueInterval, LongSupplier clock) {
    this.commands = commands;
    this.rule = rule;
    this.clock = clock;
    this.queueNanos = queueInterval.toNanos();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SourceKind kind(PollTiming timing) {
    return SourceKind.sampled(NAME, CONFIDENCE, timing.interval(), timing.freshness());
  }

  @Override
  public List<Sighting> sample() throws SignalException, InterruptedException {
    long now = clock.getAsLong();
    if (!asked || now - askedAt >= queueNanos) {
      jobs =
          SlurmQueue.parse(ask(List.of("squeue", "--json"))).stream().filter(rule::counts).toList();
      askedAt = now;
      asked = true;
    }
    if (jobs.isEmpty()) {
      before = Map.of();
      return List.of();
    }
    String ids = jobs.stream().map(j -> Long.toString(j.id())).collect(Collectors.joining(","));
    Map<String, Long> steps = usage(ids);
    long at = clock.getAsLong();
    var sightings = sightings(steps, at);
    before = steps;
    beforeAt = at;
    return sightings;
  }

  private Map<String, Long> usage(String ids) throws SignalException, InterruptedException {
    var output =
        commands.run(
            List.of(
                "sstat",
                "-n",
                "-P",
                "-a",
                "--noconvert",
                "--format=" + StepUsage.FORMAT,
                "-j",
                ids));
    Map<String, Long> steps = StepUsage.parse(output.text());
    if (steps.isEmpty() && DENIED.matcher(output.complaint()).find()) {
      throw SignalException.failed(
          "sstat may not read the jobs "
              + ids
              + " ("
              + output.complaint()
              + "); it needs their owner or a Slurm operator");
    }
    return steps; // "No steps running" is a job between two steps, or one that has just ended.
  }

  private List<Sighting> sightings(Map<String, Long> steps, long at) {
    var moved = new HashMap<Long, Long>();
    steps.forEach(
        (step, bytes) -> {
          // A new step has moved all its bytes since the last poll, but at the first poll it is not
          // known since when.
          long earlier = before.getOrDefault(step, before.isEmpty() ? bytes : 0L);
          moved.merge(StepUsage.job(step), Math.max(0, bytes - earlier), ByteCounts::sum);
        });
    var list = new ArrayList<Sighting>();
    var seen = new HashSet<String>();
    for (SlurmJob job : jobs) {
      if (seen.add(job.application())) {
        long from = before.isEmpty() ? at : beforeAt;
        list.add(
            new Sighting(
                job.application(), from, at, moved.getOrDefault(job.id(), 0L), job.saysPhase()));
      }
    }
    return list;
  }

  private String ask(List<String> command) throws SignalException, InterruptedException {
    var output = commands.run(command);
    if (output.status() != 0) {
      throw SignalException.failed(command.get(0) + " failed: " + output.complaint());
    }
    return output.text();
  }
}
