package io.eley.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * What readers have found. Safe for several threads.
 *
 * <p>Standstill is how long one call of a reader took, opening or reading: what a task would have
 * waited.
 */
final class Findings {
  /** A call that takes longer is explained. */
  static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(10);

  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong replaced = new AtomicLong();
  private final List<String> wrong = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final List<String> slow = new ArrayList<>();
  private volatile long began = System.nanoTime();
  private final Histogram standstill = new ConcurrentHistogram(LONGEST_MICROS, 3);

  /** Notes that the readers begin now. */
  void begin() {
    began = System.nanoTime();
  }

  /**
   * Notes a call that took long.
   *
   * @param nanos on the clock of {@link System#nanoTime} when it began
   * @param ways that all readers' bytes came meanwhile
   */
  synchronized void noteSlow(String call, long nanos, long took, String ways) {
    slow.add(
        String.format(
            Locale.ROOT,
            "%s took %.2f s from %.2f s on; meanwhile %s",
            call,
            took / 1e9,
            (nanos - began) / 1e9,
            ways));
  }

  void noteCall(long nanos) {
    standstill.recordValue(Math.min(LONGEST_MICROS, TimeUnit.NANOSECONDS.toMicros(nanos)));
  }

  void noteRead(int length) {
    reads.incrementAndGet();
    bytes.addAndGet(length);
  }

  /** Notes a stream that said that its file was replaced: right, and opened again. */
  void noteReplaced() {
    replaced.incrementAndGet();
  }

  synchronized void noteWrong(String what) {
    wrong.add(what);
  }

  synchronized void noteFailed(String what) {
    failed.add(what);
  }

  /** Adds those of a run that is over. */
  void add(Findings run) {
    reads.addAndGet(run.reads.get());
    bytes.addAndGet(run.bytes.get());
    replaced.addAndGet(run.replaced.get());
    standstill.add(run.standstill);
    run.wrong().forEach(this::noteWrong);
    run.failed().forEach(this::noteFailed);
    addSlow(run.slow());
  }

  private synchronized void addSlow(List<String> calls) {
    slow.addAll(calls);
  }

  /** One line for each call that took longer than {@link #SLOW_NANOS}. */
  synchronized List<String> slow() {
    return List.copyOf(slow);
  }

  long reads() {
    return reads.get();
  }

  long bytes() {
    return bytes.get();
  }

  long replaced() {
    return replaced.get();
  }

  /** One line for each read that gave bytes of no generation of its file. */
  synchronized List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** One line for each call that failed though the origin had the file. */
  synchronized List<String> failed() {
    return List.copyOf(failed);
  }

  /** Milliseconds that a share of the calls took at most. */
  double standstillMillis(double percentile) {
    return standstill.getValueAtPercentile(percentile) / 1e3;
  }
}
