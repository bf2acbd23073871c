package io.eley.controller.phase;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * From when to when each source saw one phase, whatever gaps it saw between. Of several that
 * disagree the finest is right, unless a coarser one contradicts it by more than it can be off. Who
 * sees I/O contradicts only by seeing it earlier or for longer: he may have missed the rest. What
 * is announced is contradicted either way: {@code eley phase run} says to the nanosecond when a
 * command began, which may be a second before its first byte.
 *
 * <p>Not thread-safe. Times are nanoseconds of a monotonic clock.
 */
final class SourceSpans {
  private final Map<String, Span> bySource = new TreeMap<>();

  private static final class Span {
    final Duration resolution;
    long begin;
    long end;
    boolean open = true;

    Span(long begin, Duration resolution) {
      this.begin = begin;
      this.end = begin;
      this.resolution = resolution;
    }
  }

  /**
   * One end of the phase.
   *
   * @param source that knows it best
   * @param resolution how far off it may be
   */
  record Moment(long at, String source, Duration resolution) {}

  /** A source sees the phase, perhaps again. */
  void open(String source, long since, Duration resolution) {
    Span span = bySource.computeIfAbsent(source, s -> new Span(since, resolution));
    span.begin = Math.min(span.begin, since);
    span.open = true;
  }

  /** A source does not see it any more. */
  void close(String source, long at) {
    Span span = bySource.get(source);
    if (span != null) {
      span.end = Math.max(span.end, at);
      span.open = false;
    }
  }

  /** Whether a source still sees it. */
  boolean open() {
    return bySource.values().stream().anyMatch(s -> s.open);
  }

  /** The names of the sources, joined by {@code +}. */
  String sources() {
    return String.join("+", bySource.keySet());
  }

  /** How far off the coarsest of them may be. */
  Duration coarsest() {
    return bySource.values().stream()
        .map(s -> s.resolution)
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** The begin. */
  Moment begin() {
    return best(s -> true, s -> s.begin, (coarser, best) -> coarser < best).orElseThrow();
  }

  /** The end, as far as a source knows it: not one that still sees the phase. */
  Optional<Moment> end() {
    return best(s -> !s.open, s -> s.end, (coarser, best) -> coarser > best);
  }

  /** A direction of time. */
  private interface Beyond {
    boolean test(long coarser, long best);
  }

  private Optional<Moment> best(Predicate<Span> knows, ToLongFunction<Span> time, Beyond beyond) {
    var finestFirst =
        bySource.entrySet().stream()
            .filter(e -> knows.test(e.getValue()))
            .sorted(Comparator.comparing(e -> e.getValue().resolution))
            .map(e -> moment(e.getKey(), e.getValue(), time))
            .toList();
    Optional<Moment> best = finestFirst.stream().findFirst();
    for (Moment coarser : finestFirst) {
      Moment finer = best.orElseThrow();
      boolean contradicts = Math.abs(coarser.at - finer.at) > coarser.resolution.toNanos();
      if (contradicts && (finer.resolution.isZero() || beyond.test(coarser.at, finer.at))) {
        best = Optional.of(coarser);
      }
    }
    return best;
  }

  private static Moment moment(String source, Span span, ToLongFunction<Span> time) {
    return new Moment(time.applyAsLong(span), source, span.resolution);
  }
}
