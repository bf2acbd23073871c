package io.eley.bb.api.client;

import io.eley.bb.api.origin.OriginStatus;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Statuses with which a client answers by itself, under leases of the coordinator (Gray and
 * Cheriton, 1989). The coordinator tells who holds a lease of each change, and whoever has made the
 * change waits until all have let go, or their leases have run out. So when a change has returned
 * nobody answers with what was before. It rests on three things here:
 *
 * <ul>
 *   <li>A lease is counted from when its question was asked. The coordinator counts from when the
 *       question arrived, so it never takes a lease for over that is not.
 *   <li>{@link #drop} begins a new, empty map, and an answer goes into the map that was there when
 *       it was asked for. So an answer that a change has overtaken goes where nobody looks.
 *   <li>Its owner drops everything at each change, its own and others', before it confirms; and
 *       looks here only while the connection stands over which all was lent.
 * </ul>
 *
 * <p>After an opening no status is older than the opening's, also of those whose questions and
 * answers cross it.
 *
 * <p>At most {@value #MOST} are kept. Then all are dropped: they are good for a moment anyway, and
 * to find the least recently used would cost each look a lock.
 *
 * <p>Safe for several threads; nothing blocks.
 */
public final class KeptStatuses {
  static final int MOST = 4096;

  private static final class Kept {
    private final OriginStatus status;
    private final boolean opening;
    private final long asked;
    private final long until;

    Kept(OriginStatus status, boolean opening, long asked, long until) {
      this.status = status;
      this.opening = opening;
      this.asked = asked;
      this.until = until;
    }
  }

  private final LongSupplier clock;
  private volatile ConcurrentMap<String, Kept> all = new ConcurrentHashMap<>();

  /**
   * Nothing is kept yet.
   *
   * @param clock as {@link System#nanoTime}
   */
  public KeptStatuses(LongSupplier clock) {
    this.clock = clock;
  }

  /** The status of this path if it is kept and its lease has not run out; null otherwise. */
  public @Nullable OriginStatus get(String path) {
    Kept kept = all.get(path);
    return kept != null && kept.until - clock.getAsLong() > 0 ? kept.status : null;
  }

  /**
   * Forgets everything, and does not keep what has been asked for and not answered yet. A thread
   * that is in {@link #get} just now may still get what was before.
   */
  public void drop() {
    all = new ConcurrentHashMap<>();
  }

  /** Notes that a status is about to be asked for; before the question is sent. */
  public Question ask(String path, boolean opening) {
    return new Question(path, opening);
  }

  /** A question that is under way. */
  public final class Question {
    private final String path;
    private final boolean opening;
    private final ConcurrentMap<String, Kept> mine = all;
    private final @Nullable Kept before;
    private final long asked = clock.getAsLong();

    private Question(String path, boolean opening) {
      this.path = path;
      this.opening = opening;
      before = mine.get(path);
    }

    /**
     * Keeps the answer, unless something was dropped since the question.
     *
     * @param lease for how long, from the question on
     */
    public void keep(OriginStatus answer, Duration lease) {
      if (mine.size() < MOST) {
        var kept = new Kept(answer, opening, asked, asked + lease.toNanos());
        mine.merge(path, kept, this::newer);
      } else {
        drop();
      }
    }

    /**
     * Which of two answers stays. The later question's, among openings and among the others; but an
     * opening has asked the origin, and the others are answered from what the coordinator knew
     * before.
     */
    private Kept newer(Kept there, Kept answer) {
      if (there == before || there.opening == opening) {
        return there.asked - asked > 0 ? there : answer;
      }
      return opening ? answer : there;
    }

    /** There is no answer. If that was an opening it may contradict what is kept. */
    public void fail() {
      if (opening) {
        drop();
      }
    }
  }
}
