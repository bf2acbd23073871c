package io.eley.scheduler.hooks.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which jobs the next {@code sstat} asks for. Slurm lists the steps of each of them, so their
 * number follows from how long Slurm took for the last ones: it doubles while a call takes less
 * than half of {@value #TARGET_MILLIS} ms and halves when it takes twice as long. Where not all
 * jobs fit, those that moved something the last time come first, but a quarter of the places goes
 * to those that have waited longest.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class JobRotation {
  static final int MOST = 64;
  private static final int FIRST = 16;
  private static final long TARGET_MILLIS = 200;
  private static final long TARGET = Duration.ofMillis(TARGET_MILLIS).toNanos();
  private static final long RETRY = Duration.ofMinutes(1).toNanos();

  private final Map<Long, Long> askedIn = new HashMap<>();
  private final Set<Long> busy = new HashSet<>();

  /** Jobs that alone made a call take too long, in the order of their next turn. */
  private final Set<Long> silent = new LinkedHashSet<>();

  private long retriedAt;
  private int size = FIRST;
  private long calls;

  /**
   * The jobs of the next call. One that did not answer is tried alone, one a minute of all those.
   */
  List<SlurmJob> next(List<SlurmJob> all, long now) {
    if (!silent.isEmpty() && now - retriedAt >= RETRY) {
      retriedAt = now;
      long id = silent.iterator().next();
      return all.stream().filter(job -> job.id() == id).toList();
    }
    var candidates = all.stream().filter(job -> !silent.contains(job.id())).toList();
    if (candidates.size() <= size) {
      return candidates;
    }
    var byWait = new ArrayList<>(candidates);
    byWait.sort(Comparator.comparingLong(job -> askedIn.getOrDefault(job.id(), -1L)));
    int forBusy = size - (size + 3) / 4;
    var chosen = new ArrayList<>(byWait.stream().filter(this::isBusy).limit(forBusy).toList());
    byWait.stream()
        .filter(job -> !chosen.contains(job))
        .limit(size - chosen.size())
        .forEach(chosen::add);
    return chosen;
  }

  private boolean isBusy(SlurmJob job) {
    return busy.contains(job.id());
  }

  /** Whether a job was asked for in the last call, too. */
  boolean inLastCall(SlurmJob job) {
    return calls > 0 && askedIn.getOrDefault(job.id(), -1L) == calls - 1;
  }

  /** Whether a job was not asked for yet. */
  boolean neverAsked(SlurmJob job) {
    return !askedIn.containsKey(job.id());
  }

  /** Notes a call that was answered. */
  void answered(List<SlurmJob> asked, Duration took) {
    asked.forEach(job -> askedIn.put(job.id(), calls));
    asked.forEach(job -> silent.remove(job.id()));
    calls++;
    if (took.toNanos() > 2 * TARGET) {
      size = Math.max(1, size / 2);
    } else if (took.toNanos() < TARGET / 2 && asked.size() >= size) {
      size = Math.min(MOST, 2 * size);
    }
  }

  /** Notes a call that was not answered in time: one of its jobs may be at fault. */
  void timedOut(List<SlurmJob> asked, long now) {
    if (asked.size() == 1) {
      long id = asked.get(0).id();
      silent.remove(id);
      silent.add(id);
      retriedAt = now;
    } else {
      size = Math.max(1, asked.size() / 4);
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
    askedIn.keySet().retainAll(jobs);
    busy.retainAll(jobs);
    silent.retainAll(jobs);
  }
}
