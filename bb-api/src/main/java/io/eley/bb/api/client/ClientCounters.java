package io.eley.bb.api.client;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a client did since it was opened. Written by readers on any thread, read by anyone. */
public final class ClientCounters {
  /** Where bytes came from. */
  public enum Source {
    /** A file of a node on the same machine. */
    LOCAL_RAM,
    /** A node's RAM, over a connection. */
    REMOTE_RAM,
    /** A node that had to fetch them while we waited. */
    ARRIVING,
    /** The origin, because no node could serve. */
    FALLBACK,
    /** The origin, because the mode says so. */
    DIRECT
  }

  private final Map<Source, LongAdder> bytes = new EnumMap<>(Source.class);
  private final LongAdder retries = new LongAdder();
  private final LongAdder damages = new LongAdder();
  private final LongAdder fallbacks = new LongAdder();

  ClientCounters() {
    for (var source : Source.values()) {
      bytes.put(source, new LongAdder());
    }
  }

  /** Bytes read from a source. */
  public long bytes(Source source) {
    return adder(source).sum();
  }

  /** Attempts after a first one that failed. */
  public long retries() {
    return retries.sum();
  }

  /** Reads that went to the origin because no node could serve. */
  public long fallbacks() {
    return fallbacks.sum();
  }

  /** Reads whose bytes did not match their checksums. */
  public long damages() {
    return damages.sum();
  }

  void countDamage() {
    damages.increment();
  }

  void add(Source source, long count) {
    adder(source).add(count);
  }

  void countRetry() {
    retries.increment();
  }

  void countFallback() {
    fallbacks.increment();
  }

  private LongAdder adder(Source source) {
    return java.util.Objects.requireNonNull(bytes.get(source));
  }
}
