package io.eley.prefetcher.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

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
  private final Map<String, Expected> applications = new HashMap<>();
  private boolean held;
  private long since;

  /** Nothing is held, and has been. */
  public HoldCover() {}

  private static final class Expected {
    private final TaskPace pace = new TaskPace();
    private int tasks;
  }

  /**
   * Adds an application; one that is known goes on as it was, with a driver who tells all again.
   */
  public void startApplication(String application, long now) {
    applications.computeIfAbsent(application, unused -> new Expected()).pace.start(now);
  }

  /** Sets how many tasks of the application run at once. */
  public void setWaveSize(String application, int tasks) {
    Expected known = applications.get(application);
    if (known != null) {
      known.pace.setWaveSize(tasks);
    }
  }

  /**
   * Notes that so many tasks have ended.
   *
   * @return whether {@link #tasks} may be more now; fewer they are after a hold alone, so that no
   *     task's end lets blocks out of a window
   */
  public boolean endTasks(String application, int tasks, long now) {
    Expected known = applications.get(application);
    if (held || known == null || !known.pace.ended(tasks, now)) {
      return false;
    }
    known.tasks = Math.max(known.tasks, known.pace.tasksIn(longest()));
    return true;
  }

  /** Forgets an application. */
  public void endApplication(String application) {
    applications.remove(application);
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
      applications.values().forEach(known -> known.pace.interrupt(at));
      return false;
    }
    applications.values().forEach(known -> known.pace.resume(at));
    if (at - since < SHORTEST) {
      return false;
    }
    lengths.addLast(at - since);
    if (lengths.size() > REMEMBERED) {
      lengths.removeFirst();
    }
    applications.values().forEach(known -> known.tasks = known.pace.tasksIn(longest()));
    return true;
  }

  private long longest() {
    return lengths.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Tasks of the application that end while the next hold lasts; none before the first. */
  public int tasks(String application) {
    Expected known = applications.get(application);
    return known == null ? 0 : known.tasks;
  }
}
