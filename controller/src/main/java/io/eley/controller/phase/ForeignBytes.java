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
 * nodes answer when they are asked. A node's answer is what it had moved at some moment between the
 * question and the arrival of the answer, so two answers bound what it moved in between: the last
 * answer before the interval and the first question after it. Where both lie within twice the
 * {@code slack} of the interval widened by {@code slack} at both ends (a server may count a request
 * when it ends, and its clock is another), that bound is taken away, and our own traffic alone
 * cannot look foreign. Else answers are joined by straight lines and a tenth more is taken, for our
 * traffic need not have been even. Foreign traffic looks smaller than it is by what we move in
 * three to five slacks, by a third of what other deployments of ours move, and by what clients read
 * past the buffer in half a second, see {@link PastTheBuffer}.
 *
 * <p>A total waits until every node has been asked after the interval and has answered, but not for
 * longer than {@code patience}; then what is missing is taken to go on as it was.
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of the coordinator's monotonic
 * clock.
 */
public final class ForeignBytes {
  private static final int KEPT = 256;

  /** Widens our traffic, since it need not have been even between two answers of a node. */
  private static final double MARGIN = 1.1;

  /** The node had moved this many bytes at some moment from {@code asked} to {@code heard}. */
  private record Answer(long asked, long heard, long bytes) {}

  private final long slack;
  private final long patience;
  private final Map<String, Deque<Answer>> ours = new HashMap<>();
  private final PastTheBuffer pastTheBuffer = new PastTheBuffer();
  private final NeighbourBytes neighbours = new NeighbourBytes();
  private final Deque<Sighting> totals = new ArrayDeque<>();

  /** An account in which nothing is known yet. */
  public ForeignBytes(Duration slack, Duration patience) {
    this.slack = slack.toNanos();
    this.patience = patience.toNanos();
  }

  /**
   * Takes a node's answer: the bytes it has moved since its start. A node that starts anew is
   * forgotten first.
   *
   * @param asked when it was asked; not after {@code now}
   */
  public void observe(String node, long bytes, long asked, long now) {
    Deque<Answer> answers = ours.computeIfAbsent(node, n -> new ArrayDeque<>());
    // An answer that another one has overtaken says no less than that, and must not be dropped: it
    // may be the only one that was asked for after an interval.
    long known = answers.isEmpty() ? 0 : answers.getLast().bytes;
    answers.add(new Answer(asked, now, Math.max(known, bytes)));
    if (answers.size() > KEPT) {
      answers.remove();
    }
  }

  /**
   * Takes what another deployment of ours had moved since its start, in bytes, at a moment in the
   * past, see {@link NeighbourBytes}.
   */
  public void observeNeighbour(String deployment, long bytes, long at) {
    neighbours.observe(deployment, bytes, at);
  }

  /** A line for people about other deployments; empty when there are none. */
  public Optional<String> describeNeighbours(long now) {
    return neighbours.describe(now);
  }

  /** Takes what all clients have read past the buffer since the start, in bytes. */
  public void observePastTheBuffer(long bytes, long now) {
    pastTheBuffer.observe(bytes, now);
  }

  /** Forgets a node that has left. */
  public void forget(String node) {
    ours.remove(node);
  }

  /**
   * Takes everybody's bytes in an interval. The caller asks our nodes {@code slack} after it, and
   * again twice the {@code slack} before the next interval begins.
   */
  public void addTotal(Sighting total) {
    totals.add(total);
  }

  /**
   * Foreign bytes of an interval.
   *
   * @param sighting with what is left of the total
   * @param exact whether nothing of ours was in it, so that all of it is foreign
   */
  public record Foreign(Sighting sighting, boolean exact) {}

  /** Returns the intervals that are complete now, with foreign bytes alone. */
  public List<Foreign> ready(long now) {
    neighbours.forgetSilent(now);
    var ready = new ArrayList<Foreign>();
    for (Iterator<Sighting> each = totals.iterator(); each.hasNext(); ) {
      Sighting total = each.next();
      long until = total.to() + slack;
      boolean heard =
          pastTheBuffer.complete(until, now)
              && ours.values().stream().allMatch(w -> w.getLast().asked - until >= 0);
      if ((heard || now - until > patience) && neighbours.complete(until, now)) {
        each.remove();
        long own = mayHaveMoved(total.from() - slack, until);
        var sighting =
            new Sighting(
                total.application(),
                total.from(),
                total.to(),
                Math.max(0, total.bytes() - own),
                total.said());
        ready.add(new Foreign(sighting, own == 0));
      }
    }
    return ready;
  }

  private long mayHaveMoved(long from, long to) {
    double sum = pastTheBuffer.mayHaveMoved(from, to) + neighbours.mayHaveMoved(from, to);
    for (Deque<Answer> answers : ours.values()) {
      Optional<Answer> before = lastBefore(answers, from);
      Optional<Answer> after = firstAfter(answers, to);
      sum +=
          before.isPresent() && after.isPresent()
              ? after.get().bytes - before.get().bytes
              : MARGIN * Math.max(0, at(answers, to) - at(answers, from));
    }
    return (long) Math.ceil(sum);
  }

  /** The last answer that had arrived by then, unless it is long ago. */
  private Optional<Answer> lastBefore(Deque<Answer> answers, long time) {
    for (Iterator<Answer> each = answers.descendingIterator(); each.hasNext(); ) {
      Answer answer = each.next();
      if (answer.heard - time <= 0) {
        return time - answer.heard <= 2 * slack ? Optional.of(answer) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * The first answer that was asked for then or later, unless that was long after. Answers stand in
   * the order of their arrival, in which they may have overtaken each other.
   */
  private Optional<Answer> firstAfter(Deque<Answer> answers, long time) {
    Answer first = null;
    for (Iterator<Answer> each = answers.descendingIterator(); each.hasNext(); ) {
      Answer answer = each.next();
      if (answer.heard - time < 0) {
        break;
      }
      first = answer.asked - time >= 0 ? answer : first;
    }
    return Optional.ofNullable(first).filter(w -> w.asked - time <= 2 * slack);
  }

  /** What all nodes have moved between two moments, and clients past the buffer, about. */
  public long ours(long from, long to) {
    double sum = pastTheBuffer.reported(from, to);
    for (Deque<Answer> answers : ours.values()) {
      sum += Math.max(0, at(answers, to) - at(answers, from));
    }
    return (long) Math.ceil(sum);
  }

  /**
   * Interpolates between the answers, and extrapolates from the last two. Searches from the newest
   * on, since recent times are asked for.
   */
  private static double at(Deque<Answer> answers, long time) {
    Answer after = null;
    Iterator<Answer> newestFirst = answers.descendingIterator();
    while (newestFirst.hasNext()) {
      Answer answer = newestFirst.next();
      if (answer.heard - time < 0) {
        if (after != null) {
          return between(answer, after, time);
        }
        return newestFirst.hasNext() ? between(newestFirst.next(), answer, time) : answer.bytes;
      }
      after = answer;
    }
    return after == null ? 0 : after.bytes;
  }

  private static double between(Answer a, Answer b, long time) {
    return a.bytes
        + (double) (b.bytes - a.bytes) * (time - a.heard) / Math.max(1, b.heard - a.heard);
  }
}
