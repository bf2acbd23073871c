package io.eley.prefetcher.control;

import io.eley.prefetcher.control.Outlook.Work;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps the two models and fits them: to traffic and progress every second, and to each phase when
 * it is in the ledger. Not thread-safe: one thread owns it. Times are nanoseconds of a monotonic
 * clock.
 */
public final class Models {
  private static final double NANOS = 1e9;

  /** The least time between two moments that are compared; over less, rates are mostly noise. */
  private static final double LEAST_SECONDS = 0.9;

  /** What part of the window must be in RAM for the tasks to be what limits the map phase. */
  private static final double FULL_WINDOW = 0.95;

  /** Seconds into a map phase when its end is predicted, to be compared with its real end. */
  private static final double SETTLED_SECONDS = 3;

  private InterferenceModel interference = InterferenceModel.UNKNOWN;
  private PerformanceModel performance = PerformanceModel.UNKNOWN;
  private Optional<Moment> before = Optional.empty();
  private boolean disturbed;
  private Optional<Prediction> prediction = Optional.empty();
  private boolean predicted;
  private long workSince;

  /**
   * What is measured at one moment.
   *
   * @param at nanoseconds
   * @param ours bytes that our nodes have read from the origin since their start
   * @param foreign bytes a second that others move; 0 when that is not known
   * @param fetchers of each node that may prefetch, without a rate; 0 in a phase, or where fewer
   *     than usual may for any other reason than what is useful
   * @param more whether these are more than usual, to catch up
   * @param wanted whether any node has a fetch that waits
   * @param windowFill what part of all windows is in RAM, 0 to 1
   * @param work what is left of the map phases
   * @param abandoned bytes that were left and are not, though no task has read them: their stages
   *     have ended early, as those of a cancelled job; a sum since the start
   */
  public record Moment(
      long at,
      long ours,
      double foreign,
      double fetchers,
      boolean more,
      boolean wanted,
      double windowFill,
      Work work,
      long abandoned) {}

  private record Prediction(long at, double seconds, long abandoned) {}

  /**
   * Notes that permits have changed, or nodes have come or gone: rates over this time mean nothing.
   */
  public void disturb() {
    disturbed = true;
  }

  /** Takes a measurement and compares it with the last one that is about a second old or older. */
  public void observe(Moment now, double duty) {
    if (before.isEmpty()) {
      before = Optional.of(now);
    } else if ((now.at - before.get().at) / NANOS >= LEAST_SECONDS) {
      if (!disturbed) {
        learnRates(before.get(), now);
      }
      before = Optional.of(now);
      disturbed = false;
    }
    checkPrediction(now, duty);
  }

  private void learnRates(Moment then, Moment now) {
    double seconds = (now.at - then.at) / NANOS;
    double ours = Math.max(0, now.ours - then.ours) / seconds;
    if (ours + now.foreign > 0) { // a quiet night says nothing of what the origin can move
      interference = interference.withTraffic(ours + now.foreign);
    }
    boolean open = then.fetchers > 0 && now.fetchers > 0;
    if (open && then.more == now.more && then.wanted && now.wanted && ours > 0) {
      double fetchers = (then.fetchers + now.fetchers) / 2;
      performance =
          now.more
              ? performance.withOpenRateAtLeast(ours / fetchers)
              : performance.withOpenRate(ours, fetchers);
    }
    long abandoned = now.abandoned - then.abandoned;
    double done = (then.work.bytes() - now.work.bytes() - abandoned) / seconds;
    boolean full = then.windowFill >= FULL_WINDOW && now.windowFill >= FULL_WINDOW;
    if (full && done > 0) {
      performance = performance.withTaskRate(done);
    }
  }

  private void checkPrediction(Moment now, double duty) {
    if (now.work.bytes() == 0) {
      // One that was cut short did not end when its work was done.
      prediction
          .filter(p -> p.abandoned == now.abandoned)
          .ifPresent(
              p -> performance = performance.withMapPhase(p.seconds, (now.at - p.at) / NANOS));
      prediction = Optional.empty();
      predicted = false;
      workSince = now.at;
    } else if (!predicted && (now.at - workSince) / NANOS >= SETTLED_SECONDS) {
      predicted = true;
      double seconds = performance.mapSeconds(now.work, duty, 0, performance.openRate());
      boolean known = performance.openRate() > 0 && performance.taskRate() > 0;
      prediction =
          known ? Optional.of(new Prediction(now.at, seconds, now.abandoned)) : Optional.empty();
    }
  }

  /** Learns from a phase that is over and whose length alone is known. */
  public void learn(PhaseEntry entry) {
    double seconds = entry.length().toNanos() / NANOS;
    if (seconds > 0) {
      // After a restart the origin's capacity can be learned from the ledger alone.
      entry
          .foreignBytesPerSecond()
          .ifPresent(
              foreign ->
                  interference = interference.withTraffic(foreign + entry.ourTotal() / seconds));
      entry
          .slowdown()
          .ifPresent(
              slowdown ->
                  interference =
                      interference.withPhase(
                          foreignAlone(entry, slowdown), entry.ourTotal() / seconds, slowdown));
    }
  }

  /** The rate seen is that of a phase we have slowed down; alone it moves the bytes faster. */
  private double foreignAlone(PhaseEntry entry, double slowdown) {
    return entry
        .foreignBytesPerSecond()
        .map(rate -> rate * Math.max(0.1, 1 + slowdown))
        .orElse(interference.capacity());
  }

  /** Bytes a second that the origin moves at most, as it was learned; 0 while that is not known. */
  public double capacity() {
    return interference.capacity();
  }

  /** The outlook that both models give for this work. */
  public Outlook outlook(int nodes, int fetchers, Work work, double duty) {
    return new Outlook(nodes, fetchers, interference, performance, work, duty);
  }

  /** Describes both models to people, one line each. */
  public List<String> describe() {
    return List.of(
        interference.capacity() == 0
            ? "interference: no traffic seen yet"
            : String.format(
                Locale.ROOT,
                "interference: the origin moves %.0f MB/s, slowdowns are told to %.1f points, phases"
                    + " seen: %d",
                interference.capacity() / 1e6,
                100 * interference.error(),
                interference.observations()),
        performance.openRate() == 0
            ? "performance: not known before a second of steady prefetching"
            : String.format(
                Locale.ROOT,
                "performance: fetching %.0f MB/s, tasks %.0f MB/s, error %.0f %% over %d map"
                    + " phases",
                performance.openRate() / 1e6,
                performance.taskRate() / 1e6,
                100 * performance.error(),
                performance.predictions()));
  }
}
