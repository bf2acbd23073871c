package io.eley.scheduler.hooks.slurm;

import io.eley.bb.api.edge.NameRule;
import io.eley.controller.phase.Blindness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Users whose jobs {@code sstat} is denied for. Rights are those of a user, not of a job, so that
 * nobody's jobs are asked for in vain more than once a minute, however many there are.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class DeniedUsers {
  private static final long RETRY = Duration.ofMinutes(1).toNanos();

  /** Names in one line. */
  private static final int NAMED = 3;

  private final Map<String, Long> since = new TreeMap<>();

  /** Whether a job is not to be asked for now. */
  boolean denied(SlurmJob job, long now) {
    Long at = since.get(job.user());
    return at != null && now - at < RETRY;
  }

  /** Notes of all jobs that were asked for whether that was denied. */
  void note(List<SlurmJob> asked, StepReport report, long now) {
    for (SlurmJob job : asked) {
      if (report.denied().contains(job.id())) {
        since.put(job.user(), now);
      }
    }
    for (String step : report.bytes().keySet()) {
      long id = StepUsage.job(step);
      asked.stream().filter(job -> job.id() == id).forEach(job -> since.remove(job.user()));
    }
  }

  /** What is not seen of these jobs. */
  Blindness blindness(List<SlurmJob> jobs, String us) {
    since.keySet().retainAll(jobs.stream().map(SlurmJob::user).collect(Collectors.toSet()));
    if (since.isEmpty()) {
      return Blindness.NONE;
    }
    long unseen = jobs.stream().filter(job -> since.containsKey(job.user())).count();
    String names =
        since.keySet().stream()
            .limit(NAMED)
            .map(NameRule.USER::made)
            .collect(Collectors.joining(", "));
    String more = since.size() > NAMED ? " and " + (since.size() - NAMED) + " more users" : "";
    return new Blindness(
        "sstat is denied for the jobs of "
            + names
            + more
            + ", "
            + unseen
            + " of "
            + jobs.size()
            + ": it needs their owner or a Slurm operator; ask for "
            + us
            + " to become one",
        unseen == jobs.size());
  }
}
