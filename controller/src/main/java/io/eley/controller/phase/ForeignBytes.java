package io.eley.controller.phase;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Foreign = total − ours. The total of an interval comes from the file system, ours from what the
 * nodes say when they are asked. A node's word is what it had moved at some moment between the
 * question and the answer, so two words bound what it moved in between: the last answer before the
 * interval and the first question after it. Where both lie within twice the {@code slack} of the
 * interval widened by {@code slack} at both ends (a server may count a request when it ends, and
 * its clock is another), that bound is taken away, and our own traffic alone cannot look foreign.
 * Else words are joined by straight lines and a tenth more is taken, for our traffic need not have
 * been even. Foreign traffic looks smaller than it is by what we move in three to five slacks.
 *
 * <p>A total waits until every node has been asked after the interval and has answered, but not for
 * longer than {@code patience}; then what is missing is taken to go on as it was.
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of the coordinator's monotonic
 * clock.
 */
public final class ForeignBytes {
  private static final int KEPT = 256;

  /** Between two words of a node our traffic need not have been even. */
  private static final double MARGIN = 1.1;

  /** The node had moved so much at some moment of these. */
  private record Word(long asked, long heard, long bytes) {}

  private final long slack;
  private final long patience;
  private final Map<String, Deque<Word>> ours = new HashMap<>();
  private final Deque<Sighting> totals = new ArrayDeque<>();

  /** Nothing is known of us or of others. */
  public ForeignBytes(Duration slack, Duration patience) {
    this.slack = slack.toNanos();
    this.patience = patience.toNanos();
  }

  /**
   * Takes what a node has moved since its start.
   *
   * @param asked when it was asked; not after {@code now}
   */
  public void observe(String node, long bytes, long asked, long now) {
    Deque<Word> words = ours.computeIfAbsent(node, n -> new ArrayDeque<>());
    if (!words.isEmpty() && bytes < words.getLast().bytes / 2) {
      words.clear(); // it has begun anew
    } else if (!words.isEmpty() && bytes < words.getLast().bytes) {
      return; // another message has overtaken this one
    }
    words.add(new Word(asked, now, bytes));
    if (words.size() > KEPT) {
      words.remove();
    }
  }

  /** Forgets a node that has left. */
  public void forget(String node) {
    ours.remove(node);
  }

  /**
   * Takes everybody's bytes in an interval. Our nodes are to be asked {@code slack} after it, and
   * again twice the {@code slack} before the next interval begins.
   */
  public void addTotal(Sighting total) {
    totals.add(total);
  }

  /** The intervals that can be told now, with foreign bytes alone. */
  public List<Sighting> ready(long now) {
    var ready = new ArrayList<Sighting>();
    for (Iterator<Sighting> each = totals.iterator(); each.hasNext(); ) {
      Sighting total = each.next();
      long until = total.to() + slack;
      boolean heard = ours.values().stream().allMatch(w -> w.getLast().asked - until >= 0);
      if (heard || now - until > patience) {
        each.remove();
        long own = mayHaveMoved(total.from() - slack, until);
        ready.add(
            new Sighting(
                total.application(),
                total.from(),
                total.to(),
                Math.max(0, total.bytes() - own),
                total.said()));
      }
    }
    return ready;
  }

  private long mayHaveMoved(long from, long to) {
    double sum = 0;
    for (Deque<Word> words : ours.values()) {
      Optional<Word> before = lastBefore(words, from);
      Optional<Word> after = firstAfter(words, to);
      sum +=
          before.isPresent() && after.isPresent()
              ? after.get().bytes - before.get().bytes
              : MARGIN * Math.max(0, at(words, to) - at(words, from));
    }
    return (long) Math.ceil(sum);
  }

  /** The last word that was heard by then, unless it is long ago. */
  private Optional<Word> lastBefore(Deque<Word> words, long time) {
    for (Iterator<Word> each = words.descendingIterator(); each.hasNext(); ) {
      Word word = each.next();
      if (word.heard - time <= 0) {
        return time - word.heard <= 2 * slack ? Optional.of(word) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** The first word that was asked for then or later, unless that was long after. */
  private Optional<Word> firstAfter(Deque<Word> words, long time) {
    Word first = null;
    for (Iterator<Word> each = words.descendingIterator(); each.hasNext(); ) {
      Word word = each.next();
      if (word.asked - time < 0) {
        break;
      }
      first = word;
    }
    return Optional.ofNullable(first).filter(w -> w.asked - time <= 2 * slack);
  }

  /** What all nodes have moved between two moments, about. */
  public long ours(long from, long to) {
    double sum = 0;
    for (Deque<Word> words : ours.values()) {
      sum += Math.max(0, at(words, to) - at(words, from));
    }
    return (long) Math.ceil(sum);
  }

  /**
   * By straight lines between the words, and on from the last as it was before. Looks from the
   * newest on, since that is what is asked for.
   */
  private static double at(Deque<Word> words, long time) {
    Word after = null;
    Iterator<Word> newestFirst = words.descendingIterator();
    while (newestFirst.hasNext()) {
      Word word = newestFirst.next();
      if (word.heard - time < 0) {
        if (after != null) {
          return between(word, after, time);
        }
        return newestFirst.hasNext() ? between(newestFirst.next(), word, time) : word.bytes;
      }
      after = word;
    }
    return after == null ? 0 : after.bytes;
  }

  private static double between(Word a, Word b, long time) {
    return a.bytes
        + (double) (b.bytes - a.bytes) * (time - a.heard) / Math.max(1, b.heard - a.heard);
  }
}
