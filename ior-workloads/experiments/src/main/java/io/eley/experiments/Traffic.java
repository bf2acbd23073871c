package io.eley.experiments;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.emulated.pfs.PfsEvent;
import io.eley.emulated.pfs.PfsOperation;
import io.eley.emulated.pfs.PfsTrace;
import io.eley.laboratory.RunProtocol;
import io.eley.report.ObservedPhase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What one run moves, as its own counters tell: a mounted file system keeps no record of who read
 * what. A counter's growth is dated at the moment it was seen, so it is late by what lies between
 * two reports. HPC phases are spread evenly over their time. Safe for several threads.
 */
final class Traffic {
  private static final long BIN_MICROS = 100_000;

  private final List<PfsEvent> events = new ArrayList<>();
  private final Map<String, Map<ReadCause, Long>> nodes = new HashMap<>();
  private final Map<Long, Long> readers = new HashMap<>();
  private long past;
  private int phases;

  /** Takes what nodes have reported. */
  synchronized void nodes(long epochMicros, DeploymentReport report) {
    for (var node : report.nodes()) {
      var before = nodes.computeIfAbsent(node.id(), id -> new EnumMap<>(ReadCause.class));
      node.counters()
          .originBytes()
          .forEach(
              (cause, bytes) -> {
                Long known = before.put(cause, bytes);
                add(epochMicros, node.id(), cause.name(), bytes - (known == null ? 0 : known));
              });
    }
  }

  /**
   * Takes what clients have told of what they read past the nodes.
   *
   * @param bytes since the coordinator's start
   */
  synchronized void past(long epochMicros, long bytes) {
    add(epochMicros, "client", ReadCause.FALLBACK.name(), bytes - past);
    past = bytes;
  }

  /**
   * Takes what processes that read the file system themselves have read.
   *
   * @param bytes since the start of each, by its id; what one has read before it is first seen here
   *     does not count
   */
  synchronized void readers(long epochMicros, Map<Long, Long> bytes) {
    bytes.forEach(
        (process, now) -> {
          Long known = readers.put(process, now);
          if (known != null) {
            add(epochMicros, "executor", ReadCause.DIRECT.name(), now - known);
          }
        });
  }

  /**
   * Takes the phases so far.
   *
   * @param bytesOf a phase of an application
   */
  synchronized void phases(List<ObservedPhase> complete, ToLongFunction<String> bytesOf) {
    for (var phase : complete.subList(Math.min(phases, complete.size()), complete.size())) {
      long bins = Math.max(1, (phase.endMicros() - phase.beginMicros()) / BIN_MICROS);
      int each = (int) (bytesOf.applyAsLong(phase.application()) / bins);
      for (int i = 0; i < bins; i++) {
        events.add(
            new PfsEvent(
                phase.beginMicros() + i * BIN_MICROS,
                phase.application(),
                RunProtocol.HPC_CAUSE,
                PfsOperation.WRITE.name(),
                each));
      }
    }
    phases = complete.size();
  }

  /** What was taken from a number on; one beyond the last is the next one. */
  synchronized PfsTrace from(long sequence) {
    int first = (int) Math.min(events.size(), sequence);
    return new PfsTrace(first, events.size(), events.subList(first, events.size()));
  }

  private void add(long epochMicros, String client, String cause, long bytes) {
    if (bytes > 0) {
      events.add(
          new PfsEvent(
              epochMicros,
              client,
              cause,
              PfsOperation.READ.name(),
              (int) Math.min(Integer.MAX_VALUE, bytes)));
    }
  }
}
