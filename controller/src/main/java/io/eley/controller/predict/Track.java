package io.eley.controller.predict;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * One way to predict the next onset: a distance from something that has happened (the anchor), as
 * it was the last {@value #KEPT} times. Not thread-safe.
 *
 * <p>It foresees onsets by the window that would have been worth most. Each onset inside is worth
 * 1, less half the part of its pause that was held before it; a later one costs half the part of
 * its pause that was held, an earlier one nothing. So rare onsets far from the others do not widen
 * a window. Newer distances count more, and the mean is taken over one more than there are: few
 * distances promise less than many.
 */
final class Track {
  private static final int KEPT = 32;

  /** What a distance counts for, of what the one after it counts for. */
  private static final double FADING = 0.9;

  private static final double COST = 0.5;

  /** A window is wider on each side by its width times this, by the number of onsets inside. */
  private static final double MARGIN = 1.5;

  /** Distances within this factor are alike. */
  private static final double ALIKE = 1.25;

  /** Distances beyond this factor from those before are another regime's. */
  private static final double OTHER = 1.5;

  /**
   * The part of the distances before that may have been of the new regime's size by chance. Fewer
   * than show a change in any case: what has come together before is no other regime.
   */
  private static final double STRAY = 0.125;

  /** So many distances of another regime are kept for their jitter. */
  private static final int KEPT_OF_OTHER = 6;

  /** How much larger that jitter is taken to be, since the new median is known badly. */
  private static final double UNSURE = 1.5;

  private final Deque<Long> distances = new ArrayDeque<>();
  private final int repeats;

  /**
   * When to hold, in nanoseconds after the anchor.
   *
   * @param onset the median of the onsets inside
   * @param worth what it would have been worth on average, below 1
   */
  record Window(long from, long onset, long until, double worth) {}

  /**
   * Of which onset is asked, in nanoseconds after the anchor.
   *
   * @param now it has not come yet
   * @param paused when the pause began; negative when that was before the anchor
   * @param guard added before and behind
   */
  record Question(long now, long paused, long guard) {}

  private record Seen(long distance, double weight) {}

  /** Sums over the distances, and the window they are of. */
  private record Trial(Window window, double plainWorth) {}

  /**
   * A track without a distance.
   *
   * @param repeats how many distances that are alike, and far from those before, show that the
   *     rhythm has changed: at least one more than one late phase can shift
   */
  Track(int repeats) {
    this.repeats = repeats;
  }

  void add(long nanos) {
    distances.add(nanos);
    if (distances.size() > KEPT) {
      distances.remove();
    }
    var all = List.copyOf(distances);
    int before = all.size() - repeats;
    if (before <= 0) {
      return;
    }
    List<Long> newest = all.subList(before, all.size());
    long low = newest.stream().mapToLong(d -> d).min().orElseThrow();
    long high = newest.stream().mapToLong(d -> d).max().orElseThrow();
    List<Long> older =
        all.subList(0, before).stream().filter(d -> d * OTHER < low || d > OTHER * high).toList();
    int alike = before - older.size();
    if (high <= ALIKE * low && alike < repeats && alike <= STRAY * before) {
      adapt(older, newest);
    }
  }

  /** Takes the older distances as if they had been of the new size: a program keeps its jitter. */
  private void adapt(List<Long> older, List<Long> newest) {
    long was = Math.max(1, quantile(older, 0.5));
    long is = quantile(newest, 0.5);
    distances.clear();
    older.stream()
        .skip(Math.max(0, older.size() - KEPT_OF_OTHER))
        .map(d -> is + (long) (UNSURE * (d - was) * is / was))
        .forEach(distances::add);
    distances.addAll(newest);
  }

  int count() {
    return distances.size();
  }

  long median() {
    return quantile(0.5);
  }

  /** The distance below which this part of them is, between two their mean; 0 of nothing. */
  long quantile(double part) {
    return quantile(distances, part);
  }

  private static long quantile(Iterable<Long> of, double part) {
    var sorted = new ArrayList<Long>();
    of.forEach(sorted::add);
    if (sorted.isEmpty()) {
      return 0;
    }
    sorted.sort(null);
    double at = part * (sorted.size() - 1);
    return (sorted.get((int) Math.floor(at)) + sorted.get((int) Math.ceil(at))) / 2;
  }

  /** The best window for an onset that has not come yet; empty when none ever came so late. */
  Optional<Window> window(Question question) {
    List<Seen> left = seenAfter(question.now);
    var trials = new ArrayList<Trial>();
    for (int first = 0; first < left.size(); first++) {
      for (int last = first; last < left.size(); last++) {
        trials.add(trial(left, first, last, question));
      }
    }
    return trials.stream().max(Comparator.comparingDouble(Trial::plainWorth)).map(Trial::window);
  }

  private List<Seen> seenAfter(long now) {
    var seen = new ArrayList<Seen>();
    double weight = 1;
    for (var each = distances.descendingIterator(); each.hasNext(); weight *= FADING) {
      long distance = each.next();
      if (distance > now) {
        seen.add(new Seen(distance, weight));
      }
    }
    seen.sort(Comparator.comparingLong(Seen::distance));
    return seen;
  }

  private static Trial trial(List<Seen> left, int first, int last, Question asked) {
    long earliest = left.get(first).distance;
    long latest = left.get(last).distance;
    int inside = last - first + 1;
    long margin = (long) (MARGIN * (latest - earliest) / inside) + asked.guard;
    long until = latest + margin;
    // A hold is never longer than the time before it: at least half of each pause is free.
    long from = Math.max(earliest - margin, (asked.now + until) / 2);
    long onset =
        (left.get((first + last) / 2).distance + left.get((first + last + 1) / 2).distance) / 2;
    double pause = Math.max(1, onset - asked.paused);
    double plain = 0;
    double worth = 0;
    double weights = 1;
    for (Seen each : left) {
      boolean covered = each.distance >= Math.max(from, earliest) && each.distance <= latest;
      double held = Math.max(0, Math.min(each.distance, until) - from) / pause;
      double one = (covered ? 1 : 0) - COST * held;
      plain += one;
      worth += each.weight * one;
      weights += each.weight;
    }
    return new Trial(new Window(from, onset, until, worth / weights), plain);
  }
}
