package io.eley.scheduler.hooks.slurm;

import io.eley.bb.api.edge.NameRule;
import io.eley.controller.phase.Blindness;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Users whose jobs {@code sstat} is denied for. Rights are those of a user, not of a job, so that
 * nobody's jobs are asked for in vain more than once a minute, however many there are.
 *
 * <p>Where Slurm limits its caller each question in vain is one less for his own jobs. There these
 * have the first turns, and others' are asked for again after an hour; and since it is the caller's
 * rights that are wanting, one denial speaks for all other users while a job of his own runs. Who
 * may ask for others' jobs is denied none, and all have their turns.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class DeniedUsers {
  private static final long RETRY = Duration.ofMinutes(1).toNanos();
  private static final long RETRY_LIMITED = Duration.ofHours(1).toNanos();

  /** Names in one line. */
  private static final int NAMED = 3;

  private final String us;
  private final Map<String, Long> since = new TreeMap<>();

  /** When a job of anybody else's was denied last; empty once one was answered. */
  private OptionalLong others = OptionalLong.empty();

  private boolean limited;
  private boolean oursRuns;

  /**
   * Denied for nobody.
   *
   * @param us who asks
   */
  DeniedUsers(String us) {
    this.us = us;
  }

  /**
   * Takes all jobs that run now.
   *
   * @param limits whether Slurm limits who asks
   */
  void list(List<SlurmJob> jobs, boolean limits) {
    since.keySet().retainAll(jobs.stream().map(SlurmJob::user).collect(Collectors.toSet()));
    oursRuns = jobs.stream().anyMatch(this::isOurs);
    limited = limits;
  }

  private boolean isOurs(SlurmJob job) {
    return job.user().equals(us);
  }

  /** Those of some jobs that are to be asked for now, in the order of their first turns. */
  List<SlurmJob> allowed(List<SlurmJob> jobs, long now) {
    var allowed = jobs.stream().filter(job -> !denied(job, now));
    return limited
        ? allowed.sorted(Comparator.comparing(job -> !isOurs(job))).toList()
        : allowed.toList();
  }

  /** Whether a job is not to be asked for now. */
  boolean denied(SlurmJob job, long now) {
    long retry = limited && !isOurs(job) ? RETRY_LIMITED : RETRY;
    OptionalLong at = deniedAt(job);
    return at.isPresent() && now - at.getAsLong() < retry;
  }

  private OptionalLong deniedAt(SlurmJob job) {
    if (limited && oursRuns && !isOurs(job) && others.isPresent()) {
      return others;
    }
    Long at = since.get(job.user());
    return at == null ? OptionalLong.empty() : OptionalLong.of(at);
  }

  /** Notes of all jobs that were asked for whether that was denied. */
  void note(List<SlurmJob> asked, StepReport report, long now) {
    for (SlurmJob job : asked) {
      if (report.denied().contains(job.id())) {
        since.put(job.user(), now);
        others = isOurs(job) ? others : OptionalLong.of(now);
      }
    }
    for (String step : report.bytes().keySet()) {
      long id = StepUsage.job(step);
      asked.stream().filter(job -> job.id() == id).forEach(this::noteAnswered);
    }
  }

  private void noteAnswered(SlurmJob job) {
    since.remove(job.user());
    others = isOurs(job) ? others : OptionalLong.empty();
  }

  /** What is not seen of these jobs. */
  Blindness blindness(List<SlurmJob> jobs) {
    var unseen = jobs.stream().filter(job -> deniedAt(job).isPresent()).toList();
    if (unseen.isEmpty()) {
      return Blindness.NONE;
    }
    var users = unseen.stream().map(SlurmJob::user).distinct().sorted().toList();
    String names =
        users.stream().limit(NAMED).map(NameRule.USER::made).collect(Collectors.joining(", "));
    String more = users.size() > NAMED ? " and " + (users.size() - NAMED) + " more users" : "";
    return new Blindness(
        "sstat is denied for the jobs of "
            + names
            + more
            + ", "
            + unseen.size()
            + " of "
            + jobs.size()
            + ": it needs their owner or a Slurm operator; ask for "
            + us
            + " to become one",
        unseen.size() == jobs.size());
  }
}
