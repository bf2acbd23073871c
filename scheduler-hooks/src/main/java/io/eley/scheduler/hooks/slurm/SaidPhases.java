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
 * it was last seen to move something, whichever is later. Of a job whose bytes nobody sees that is
 * {@link #UNSEEN}: it may well write for that long, and comes first. Then the comment must change
 * before it is believed again.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class SaidPhases {
  /** As long as an announcement's, unless that says otherwise. */
  static final Duration LEASE = Duration.ofMinutes(5);

  /** Longer than nearly all phases of I/O. */
  static final Duration UNSEEN = Duration.ofHours(1);

  private final Map<Long, Said> said = new HashMap<>();

  /** With whether anybody has seen bytes of the job, or that there were none. */
  private record Said(String comment, long renewed, boolean seen) {
    boolean lapsed(long now) {
      return now - renewed > (seen ? LEASE : UNSEEN).toNanos();
    }
  }

  /** Reads the comments of all jobs that run now. */
  void read(List<SlurmJob> jobs, long now) {
    var saying = jobs.stream().filter(SlurmJob::saysPhase).toList();
    Set<Long> ids = saying.stream().map(SlurmJob::id).collect(Collectors.toSet());
    said.keySet().retainAll(ids);
    for (SlurmJob job : saying) {
      said.merge(
          job.id(),
          new Said(job.comment(), now, false),
          (old, read) -> old.comment().equals(read.comment()) ? old : read);
    }
  }

  /**
   * Notes that a job is seen, which renews its lease when it has moved something, and when it is
   * seen for the first time; one that has ended is not renewed.
   */
  void noteSeen(SlurmJob job, boolean moved, long now) {
    said.computeIfPresent(
        job.id(),
        (id, word) ->
            word.lapsed(now)
                ? word
                : new Said(word.comment(), moved || !word.seen ? now : word.renewed, true));
  }

  /** Whether a job says that it does I/O and its lease has not ended. */
  boolean believed(SlurmJob job, long now) {
    Said word = said.get(job.id());
    return word != null && !word.lapsed(now);
  }

  /** How many jobs say so in vain. */
  long lapsed(long now) {
    return said.values().stream().filter(word -> word.lapsed(now)).count();
  }
}
