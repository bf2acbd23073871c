package io.eley.scheduler.hooks.slurm;

import io.eley.scheduler.hooks.signal.ByteCounts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * For how long jobs are believed that say in their comment that they do I/O. A job that crashed in
 * its phase, or forgot the word, would have everybody held for as long as it runs. So the word has
 * a lease, as an announcement has. It ends when the job was looked at for {@link #LEASE} and moved
 * no more than the lines of a log; then the comment must change before it is believed again. Looks
 * come so close together in a phase that each may show little of a job that writes all the time, so
 * what they show is added up. Of a job whose bytes nobody sees it ends {@link #UNSEEN} after its
 * comment changed, or it was last seen to move something: it may well write for that long, and
 * comes first.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class SaidPhases {
  /** As long as an announcement's, unless that says otherwise. */
  static final Duration LEASE = Duration.ofMinutes(5);

  /** Longer than nearly all phases of I/O. */
  static final Duration UNSEEN = Duration.ofHours(1);

  /** Who has moved so many bytes between two looks is in its phase. */
  static final long SOMETHING = 1 << 20;

  /** And so is who has moved so many in a lease, in looks that showed less each. */
  private static final long SOMETHING_IN_A_LEASE = 16 << 20;

  private final Map<Long, Said> said = new HashMap<>();

  /**
   * A word.
   *
   * @param renewed when the comment came, or the job moved something since
   * @param quiet since when it is looked at and moves little
   * @param little bytes that it has moved since then
   * @param idle whether that was so for a lease
   */
  private record Said(String comment, long renewed, OptionalLong quiet, long little, boolean idle) {
    static Said read(String comment, long now) {
      return new Said(comment, now, OptionalLong.empty(), 0, false);
    }

    Said moved(long bytes, long now) {
      long sum = ByteCounts.sum(little, bytes);
      return bytes >= SOMETHING || sum >= SOMETHING_IN_A_LEASE
          ? looked(now, now)
          : movedLittle(sum, now);
    }

    Said lookedAt(long now) {
      return looked(renewed, now);
    }

    private Said looked(long renewed, long now) {
      return idle ? this : new Said(comment, renewed, OptionalLong.of(now), 0, false);
    }

    private Said movedLittle(long sum, long now) {
      long since = quiet.orElse(now);
      return new Said(
          comment, renewed, OptionalLong.of(since), sum, idle || now - since > LEASE.toNanos());
    }

    boolean lapsed(long now) {
      return idle || now - renewed > UNSEEN.toNanos();
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
          Said.read(job.comment(), now),
          (old, read) -> old.comment().equals(read.comment()) ? old : read);
    }
  }

  /** Notes that a job is looked at from now on, be it after a time in which nobody saw it. */
  void noteLook(SlurmJob job, long now) {
    said.computeIfPresent(job.id(), (id, word) -> word.lookedAt(now));
  }

  /** Notes how many bytes a job has moved since it was looked at before. */
  void noteMoved(SlurmJob job, long bytes, long now) {
    said.computeIfPresent(job.id(), (id, word) -> word.moved(bytes, now));
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
