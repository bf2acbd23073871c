package io.eley.system.pfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What some links have carried at each moment, looked at a hundred times a second. */
final class LinkMeter implements AutoCloseable {
  private static final long EVERY_MILLIS = 10;

  private final Testbed testbed;
  private final List<String> links;
  private final TreeMap<Instant, Long> samples = new TreeMap<>();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  LinkMeter(Testbed testbed, String... links) {
    this.testbed = testbed;
    this.links = List.of(links);
    look();
    var unused =
        thread.scheduleAtFixedRate(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void look() {
    try {
      long sum = 0;
      for (String link : links) {
        sum += testbed.carried(link);
      }
      samples.put(Instant.now(), sum);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes since the meter was made. */
  synchronized long all() {
    look();
    return samples.lastEntry().getValue() - samples.firstEntry().getValue();
  }

  /** Bytes in an interval. */
  synchronized long in(Instant from, Duration length) {
    look();
    return at(from.plus(length)) - at(from);
  }

  /**
   * By how many bytes {@link #in} may be off: those between the looks around each of its ends. On a
   * busy machine a look may come late.
   */
  synchronized long uncertainty(Instant from, Duration length) {
    return between(from) + between(from.plus(length));
  }

  private long between(Instant time) {
    Map.Entry<Instant, Long> before = samples.floorEntry(time);
    Map.Entry<Instant, Long> after = samples.ceilingEntry(time);
    return before == null || after == null ? 0 : after.getValue() - before.getValue();
  }

  /**
   * By how many bytes an interval may seem off to who takes what moved between two reports, this
   * long apart, for even.
   */
  synchronized long unevenness(Instant from, Duration length, Duration reports) {
    return unevenness(from, reports) + unevenness(from.plus(length), reports);
  }

  private long unevenness(Instant edge, Duration reports) {
    Instant first = samples.firstKey();
    Instant last = samples.lastKey();
    long most = 0;
    for (long before = 0; before <= reports.toMillis(); before += EVERY_MILLIS) {
      Instant began = edge.minusMillis(before);
      Instant ended = began.plus(reports);
      if (!began.isBefore(first) && !ended.isAfter(last)) {
        long even = (at(ended) - at(began)) * before / reports.toMillis();
        most = Math.max(most, Math.abs(at(edge) - at(began) - even));
      }
    }
    return most;
  }

  private long at(Instant time) {
    Map.Entry<Instant, Long> before = samples.floorEntry(time);
    Map.Entry<Instant, Long> after = samples.ceilingEntry(time);
    if (before == null || after == null) {
      throw new IllegalArgumentException("the meter did not run at " + time);
    }
    double all = Duration.between(before.getKey(), after.getKey()).toNanos();
    double part = Duration.between(before.getKey(), time).toNanos() / Math.max(1, all);
    return before.getValue() + Math.round(part * (after.getValue() - before.getValue()));
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
