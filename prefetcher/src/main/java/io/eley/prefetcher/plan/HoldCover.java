package io.eley.prefetcher.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many tasks of each application will end while prefetching is held back, so that their input
 * can be in RAM before: as many as end in so long a time otherwise. The next hold is taken for as
 * long as the longest of the last few.
 *
 * <p>Not thread-safe. Times are nanoseconds of any monotonic clock.
 */
public final class HoldCover {
  private static final int REMEMBERED = 4;

  /** Moments in which somebody listens are no holds that a window must last for. */
  private static final long SHORTEST = 1_000_000_000L;

  private final Deque<Long> lengths = new ArrayDeque<>();
  private final Map<String, TaskPace> paces = new HashMap<>();
  private boolean held;
  private long since;

  /** Nothing is held, and has been. */
  public HoldCover() {}

  /** Adds an application, or begins anew with one of the same name. */
  public void startApplication(String application) {
    paces.put(application, new TaskPace());
  }

  /** Sets how many tasks of the application run at once. */
  public void setWaveSize(String application, int tasks) {
    pace(application).ifPresent(pace -> pace.setWaveSize(tasks));
  }

  /** Notes that so many tasks have ended. */
  public void endTasks(String application, int tasks, long now) {
    if (!held) {
      pace(application).ifPresent(pace -> pace.ended(tasks, now));
    }
  }

  /** Forgets an application. */
  public void endApplication(String application) {
    paces.remove(application);
  }

  /**
   * Takes whether prefetching is held back now.
   *
   * @return whether a hold has ended that was no mere moment: {@link #tasks} may be others now
   */
  public boolean setHeld(boolean now, long at) {
    if (now == held) {
      return false;
    }
    held = now;
    if (held) {
      since = at;
      paces.values().forEach(TaskPace::interrupt);
      return false;
    }
    long length = at - since;
    if (length < SHORTEST) {
      return false;
    }
    lengths.addLast(length);
    if (lengths.size() > REMEMBERED) {
      lengths.removeFirst();
    }
    return true;
  }

  /** Tasks of the application that end while the next hold lasts; none before the first. */
  public int tasks(String application) {
    long longest = lengths.stream().mapToLong(Long::longValue).max().orElse(0);
    return pace(application).map(pace -> pace.tasksIn(longest)).orElse(0);
  }

  private Optional<TaskPace> pace(String application) {
    return Optional.ofNullable(paces.get(application));
  }
}
