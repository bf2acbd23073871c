package io.eley.scheduler.hooks.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which jobs the next {@code sstat} asks for. Slurm lists the steps of each of them, so their
 * number follows from how long Slurm took for the last ones: it doubles while a call takes less
 * than half of {@value #TARGET_MILLIS} ms and halves when it takes twice as long; and it is never
 * more than Slurm's limit of a user allows.
 *
 * <p>Where not all jobs fit, those that moved something the last time come first. What a job moves
 * is known from two calls in a row that ask for it, and a phase is over when it is not seen any
 * more. So those that are being followed keep their places for as long as they move something, and
 * others that move something wait: alternating, none would be seen. A quarter of the places goes to
 * the jobs that have waited longest; where there is one place only, one call in four.
 *
 * <p>Where it is Slurm's limit that leaves one place, calls are seconds apart, and one without the
 * job that is followed would end its phase. So one call in {@value #BESIDE} asks for another job
 * beside it. Where that is not answered, the other one is asked for alone.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class JobRotation {
  static final int MOST = 64;
  private static final int FIRST = 16;
  private static final long TARGET_MILLIS = 200;
  private static final long TARGET = Duration.ofMillis(TARGET_MILLIS).toNanos();
  private static final long RETRY = Duration.ofMinutes(1).toNanos();

  /** Of so many places, or of so many calls for one job, one is theirs who have waited longest. */
  private static final int SHARE = 4;

  /** Of so many calls for one job, as Slurm's limit leaves them, one is for one more job. */
  static final int BESIDE = 8;

  private final Map<Long, Run> asked = new HashMap<>();
  private final Set<Long> busy = new HashSet<>();

  /** Jobs that alone made a call take too long, in the order of their next turn. */
  private final Set<Long> silent = new LinkedHashSet<>();

  private long retriedAt;
  private int most = MOST;
  private int size = FIRST;
  private boolean pairUnanswered;
  private long calls;

  /**
   * The last calls in a row that asked for a job.
   *
   * @param first number of the first of them
   * @param last number of the last
   */
  private record Run(long first, long last) {
    static final Run NONE = new Run(-1, -1);
  }

  /**
   * The job to try alone before the next call, of those that did not answer: one a minute of them
   * all, none at other times. That call is none of those in a row, whether it is answered or not.
   */
  Optional<SlurmJob> again(List<SlurmJob> all, long now) {
    if (silent.isEmpty() || now - retriedAt < RETRY) {
      return Optional.empty();
    }
    retriedAt = now;
    return silent.stream().flatMap(id -> all.stream().filter(job -> job.id() == id)).findFirst();
  }

  /** Notes that jobs which were tried alone have answered. */
  void answeredAlone(List<SlurmJob> tried) {
    tried.forEach(job -> silent.remove(job.id()));
  }

  /** The jobs of the next call. */
  List<SlurmJob> next(List<SlurmJob> all) {
    var candidates = all.stream().filter(job -> !silent.contains(job.id())).toList();
    if (candidates.size() <= size) {
      return candidates;
    }
    var chosen =
        new ArrayList<>(
            candidates.stream()
                .filter(job -> busy.contains(job.id()))
                .sorted(followedFirst())
                .limit(placesOfFollowed())
                .toList());
    int others = size == 1 && turnOfOthers() ? 1 : size - chosen.size();
    candidates.stream()
        .filter(job -> !chosen.contains(job))
        .sorted(Comparator.comparingLong(job -> run(job).last()))
        .limit(others)
        .forEach(chosen::add);
    return chosen;
  }

  /** Of those in the last call whoever came first, of the others whoever has waited longest. */
  private Comparator<SlurmJob> followedFirst() {
    return Comparator.comparing(this::inLastCall)
        .reversed()
        .thenComparingLong(job -> inLastCall(job) ? run(job).first() : run(job).last());
  }

  private int placesOfFollowed() {
    if (size == 1) {
      return turnOfOthers() && (most > 1 || pairUnanswered) ? 0 : 1;
    }
    return size - (size + SHARE - 1) / SHARE;
  }

  /** Whether others have their turn where there is one place. */
  private boolean turnOfOthers() {
    int share = most == 1 ? BESIDE : SHARE;
    return calls % share == share - 1;
  }

  private Run run(SlurmJob job) {
    return asked.getOrDefault(job.id(), Run.NONE);
  }

  /** Whether a job was asked for in the last call, too. */
  boolean inLastCall(SlurmJob job) {
    return calls > 0 && run(job).last() == calls - 1;
  }

  /** Whether a job moved something when it was asked for, and now has no place. */
  boolean waits(SlurmJob job) {
    return busy.contains(job.id()) && !inLastCall(job);
  }

  /** Whether a job was not asked for yet. */
  boolean neverAsked(SlurmJob job) {
    return !asked.containsKey(job.id());
  }

  /** Sets how many jobs a call may ask for, from 1 to {@value #MOST}. */
  void setMost(int jobs) {
    most = jobs;
    size = Math.min(size, most);
  }

  /** Notes a call that was answered. */
  void answered(List<SlurmJob> jobs, Duration took) {
    for (SlurmJob job : jobs) {
      asked.put(job.id(), new Run(inLastCall(job) ? run(job).first() : calls, calls));
      silent.remove(job.id());
    }
    calls++;
    pairUnanswered = false;
    if (took.toNanos() > 2 * TARGET) {
      size = Math.max(1, size / 2);
    } else if (took.toNanos() < TARGET / 2 && jobs.size() >= size) {
      size = Math.min(most, 2 * size);
    }
  }

  /** Notes a call that was not answered in time: one of its jobs may be at fault. */
  void timedOut(List<SlurmJob> jobs, long now) {
    if (jobs.size() == 1) {
      long id = jobs.get(0).id();
      silent.remove(id);
      silent.add(id);
      retriedAt = now;
      pairUnanswered = false;
    } else {
      pairUnanswered = true;
      size = Math.max(1, jobs.size() / 4);
    }
  }

  /** The jobs whose nodes do not answer. */
  Set<Long> silent() {
    return Set.copyOf(silent);
  }

  /** Sets whether a job moves something. */
  void setBusy(SlurmJob job, boolean moves) {
    if (moves) {
      busy.add(job.id());
    } else {
      busy.remove(job.id());
    }
  }

  /** Forgets all jobs but these. */
  void keep(Set<Long> jobs) {
    asked.keySet().retainAll(jobs);
    busy.retainAll(jobs);
    silent.retainAll(jobs);
  }
}
