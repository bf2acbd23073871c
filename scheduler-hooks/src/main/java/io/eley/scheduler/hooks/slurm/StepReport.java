package io.eley.scheduler.hooks.slurm;

import io.eley.scheduler.hooks.command.CommandRunner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What one {@code sstat} told. It ends with status 0 whatever it could not find out, and says that
 * on standard error, step by step; with another status it did not get through.
 *
 * @param bytes cumulative, by step
 * @param denied jobs that its caller may not ask for
 * @param silent jobs whose nodes did not answer
 * @param untold jobs that it told nothing of, for another reason: they may have just ended, or
 *     slurmctld is busy
 * @param missed by job, steps that it told nothing of, though of others perhaps
 * @param failed whether it did not get through and does not say for which job
 * @param figures whether any step came with bytes of a disk at all
 */
record StepReport(
    Map<String, Long> bytes,
    Set<Long> denied,
    Set<Long> silent,
    Set<Long> untold,
    Map<Long, Set<String>> missed,
    boolean failed,
    boolean figures) {
  /** Of all versions: {@code problem getting step_layout for StepId=7.batch: Invalid user id}. */
  private static final Pattern OF_A_STEP = Pattern.compile("StepId=((\\d{1,18})\\b[^:]*): (.*)");

  /** Of all versions: {@code couldn't get steps for job 7}, {@code No steps running for job 7}. */
  private static final Pattern OF_A_JOB =
      Pattern.compile("(couldn't get|no) steps .*\\bjob (\\d{1,18})\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern DENIED =
      Pattern.compile("denied|invalid user id", Pattern.CASE_INSENSITIVE);

  /** A job that has just ended, or whose step has, is no failure. */
  private static final Pattern OVER =
      Pattern.compile("invalid job id|not found|no such", Pattern.CASE_INSENSITIVE);

  /** Cumulative bytes of one job's steps. */
  Map<String, Long> stepsOf(long job) {
    return bytes.entrySet().stream()
        .filter(step -> StepUsage.job(step.getKey()) == job)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Steps of one job that it told nothing of. */
  Set<String> missedOf(long job) {
    return missed.getOrDefault(job, Set.of());
  }

  /** Whether nothing is known of a job from it, not even that it moves nothing. */
  boolean lacks(long job) {
    return denied.contains(job) || silent.contains(job) || untold.contains(job);
  }

  /** Reads what a call for some jobs printed. */
  static StepReport parse(CommandRunner.Output output, Set<Long> asked) {
    Map<String, Long> bytes = StepUsage.parse(output.text());
    var complaints = new Complaints();
    output.errors().lines().forEach(complaints::read);
    if (complaints.ofNoStep() && DENIED.matcher(output.errors()).find()) {
      complaints.denied.addAll(asked); // it does not say for which step
    }
    boolean through = output.status() == 0 || complaints.any();
    if (output.status() != 0) {
      complaints.untold.addAll(asked);
    }
    complaints.retain(asked);
    complaints.forgive(bytes.keySet().stream().map(StepUsage::job).collect(Collectors.toSet()));
    return new StepReport(
        bytes,
        complaints.denied,
        complaints.silent,
        complaints.untold,
        complaints.missed,
        !through,
        output.text().contains("fs/disk="));
  }

  /** What it says on standard error. */
  private static final class Complaints {
    final Set<Long> denied = new HashSet<>();
    final Set<Long> silent = new HashSet<>();
    final Set<Long> untold = new HashSet<>();
    final Map<Long, Set<String>> missed = new HashMap<>();

    /** Jobs that have no steps now. */
    final Set<Long> without = new HashSet<>();

    void read(String line) {
      Matcher step = OF_A_STEP.matcher(line);
      Matcher job = OF_A_JOB.matcher(line);
      if (step.find()) {
        long id = Long.parseLong(step.group(2));
        missed.computeIfAbsent(id, i -> new HashSet<>()).add(step.group(1));
        boolean refused = DENIED.matcher(step.group(3)).find();
        if (refused || !OVER.matcher(step.group(3)).find()) {
          (refused ? denied : silent).add(id);
        }
      } else if (job.find()) {
        boolean none = job.group(1).equalsIgnoreCase("no");
        (none ? without : untold).add(Long.parseLong(job.group(2)));
      }
    }

    boolean ofNoStep() {
      return denied.isEmpty() && silent.isEmpty();
    }

    boolean any() {
      return !(ofNoStep() && untold.isEmpty() && missed.isEmpty() && without.isEmpty());
    }

    void retain(Set<Long> asked) {
      List.of(denied, silent, untold).forEach(jobs -> jobs.retainAll(asked));
    }

    /** Forgets what it says of jobs that it has told something of all the same. */
    void forgive(Set<Long> answered) {
      List.of(denied, silent, untold).forEach(jobs -> jobs.removeAll(answered));
      List.of(denied, silent, without).forEach(untold::removeAll);
    }
  }
}
