package io.eley.scheduler.hooks.slurm;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What one {@code sstat} told. It ends with status 0 whatever happens, and says on standard error,
 * step by step, what it could not find out.
 *
 * @param bytes cumulative, by step
 * @param denied jobs that its caller may not ask for
 * @param silent jobs whose nodes did not answer
 * @param figures whether any step came with bytes of a disk at all
 */
record StepReport(Map<String, Long> bytes, Set<Long> denied, Set<Long> silent, boolean figures) {
  /** Of all versions: {@code problem getting step_layout for StepId=7.batch: Invalid user id}. */
  private static final Pattern OF_A_STEP = Pattern.compile("StepId=(\\d{1,18})\\b[^:]*: (.*)");

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

  /** Reads what a call for some jobs printed. */
  static StepReport parse(String text, String errors, Set<Long> asked) {
    Map<String, Long> bytes = StepUsage.parse(text);
    var denied = new HashSet<Long>();
    var silent = new HashSet<Long>();
    for (String line : errors.lines().toList()) {
      Matcher step = OF_A_STEP.matcher(line);
      if (step.find()) {
        boolean refused = DENIED.matcher(step.group(2)).find();
        if (refused || !OVER.matcher(step.group(2)).find()) {
          (refused ? denied : silent).add(Long.parseLong(step.group(1)));
        }
      }
    }
    Set<Long> answered = bytes.keySet().stream().map(StepUsage::job).collect(Collectors.toSet());
    if (denied.isEmpty() && silent.isEmpty() && DENIED.matcher(errors).find()) {
      denied.addAll(asked); // it does not say for which step
    }
    denied.retainAll(asked);
    silent.retainAll(asked);
    denied.removeAll(answered);
    silent.removeAll(answered);
    return new StepReport(bytes, denied, silent, text.contains("fs/disk="));
  }
}
