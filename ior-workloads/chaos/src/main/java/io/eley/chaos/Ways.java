package io.eley.chaos;

import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.client.EleyClient;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which ways a client's reads have gone so far; those of all its readers together.
 *
 * @param bytes by where they came from
 * @param retries further attempts at nodes
 * @param fallbacks reads that gave up nodes
 */
record Ways(Map<Source, Long> bytes, long retries, long fallbacks) {
  Ways {
    bytes = Map.copyOf(bytes);
  }

  static Ways of(EleyClient client) {
    var bytes = new EnumMap<Source, Long>(Source.class);
    for (Source source : Source.values()) {
      bytes.put(source, client.counters().bytes(source));
    }
    return new Ways(bytes, client.counters().retries(), client.counters().fallbacks());
  }

  /** What has come since, in words. */
  String since(Ways before) {
    String sources =
        new TreeMap<>(bytes)
            .entrySet().stream()
                .filter(e -> e.getValue() > before.bytes.getOrDefault(e.getKey(), 0L))
                .map(
                    e ->
                        e.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                            + " "
                            + (e.getValue() - before.bytes.getOrDefault(e.getKey(), 0L)) / 1024
                            + " KiB, ")
                .collect(Collectors.joining());
    return sources
        + (retries - before.retries)
        + " retries, "
        + (fallbacks - before.fallbacks)
        + " fallbacks";
  }
}
