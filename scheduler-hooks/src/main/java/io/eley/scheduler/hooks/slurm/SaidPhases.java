package io.eley.scheduler.hooks.slurm;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * For how long jobs are believed that say in their comment that they do I/O. A job that crashed in
 * its phase, or forgot the word, would have everybody held for as long as it runs. So the word has
 * a lease, as an announcement has: it ends {@link #LEASE} after the job wrote its comment, or after
 * it was last seen to move something, whichever is later. Then the comment must change before it is
 * believed again.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class SaidPhases {
  /** As long as an announcement's, unless that says otherwise. */
  static final Duration LEASE = Duration.ofMinutes(5);

  private final Map<Long, Said> said = new HashMap<>();

  private record Said(String comment, long renewed) {}

  /** Reads the comments of all jobs that run now. */
  void read(List<SlurmJob> jobs, long now) {
    var saying = jobs.stream().filter(SlurmJob::saysPhase).toList();
    Set<Long> ids = saying.stream().map(SlurmJob::id).collect(Collectors.toSet());
    said.keySet().retainAll(ids);
    for (SlurmJob job : saying) {
      said.merge(
          job.id(),
          new Said(job.comment(), now),
          (old, read) -> old.comment().equals(read.comment()) ? old : read);
    }
  }

  /** Renews the lease of a job that was seen to move something, if it has not ended. */
  void renew(SlurmJob job, long now) {
    if (believed(job, now)) {
      said.put(job.id(), new Said(job.comment(), now));
    }
  }

  /** Whether a job says that it does I/O and its lease has not ended. */
  boolean believed(SlurmJob job, long now) {
    Said word = said.get(job.id());
    return word != null && now - word.renewed() <= LEASE.toNanos();
  }

  /** How many jobs say so in vain. */
  long lapsed(long now) {
    return said.values().stream().filter(word -> now - word.renewed() > LEASE.toNanos()).count();
  }
}
