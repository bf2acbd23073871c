package io.eley.emulated.pfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last so many grants, in bounded memory: 24 bytes each, in arrays that grow to the limit and
 * are then overwritten from the oldest on. Labels and causes are numbered; at most {@value
 * #MAX_WORDS} different ones are kept apart, later ones are recorded as "other".
 *
 * <p>Safe for several threads.
 */
final class GrantTrace {
  /** Far more than any experiment has; bounds what a client that makes up labels can use. */
  static final int MAX_WORDS = 4096;

  private static final String OTHER = "other";

  private final int limit;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> words = new ArrayList<>(List.of(OTHER));

  private long[] micros = new long[1024];
  private int[] clients = new int[1024];
  private int[] causes = new int[1024];
  private PfsOperation[] operations = new PfsOperation[1024];
  private int[] bytes = new int[1024];
  private long recorded;

  /**
   * @param limit events kept, one or more
   */
  GrantTrace(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("trace limit " + limit + " is less than one");
    }
    this.limit = limit;
  }

  synchronized void record(
      long epochMicros, String client, String cause, PfsOperation operation, int byteCount) {
    int slot = slot(recorded);
    if (slot >= micros.length) {
      grow();
    }
    micros[slot] = epochMicros;
    clients[slot] = number(client);
    causes[slot] = number(cause);
    operations[slot] = operation;
    bytes[slot] = byteCount;
    recorded++;
  }

  /** Up to {@code max} events from sequence number {@code from} on, or from the oldest kept. */
  synchronized PfsTrace page(long from, int max) {
    long first = Math.min(Math.max(from, Math.max(0, recorded - limit)), recorded);
    long end = Math.min(recorded, first + max);
    var events = new ArrayList<PfsEvent>((int) (end - first));
    for (long sequence = first; sequence < end; sequence++) {
      int slot = slot(sequence);
      events.add(
          new PfsEvent(
              micros[slot],
              words.get(clients[slot]),
              words.get(causes[slot]),
              operations[slot].name(),
              bytes[slot]));
    }
    return new PfsTrace(first, recorded, events);
  }

  private int slot(long sequence) {
    return (int) (sequence % limit);
  }

  private int number(String word) {
    Integer known = numbers.get(word);
    if (known != null) {
      return known;
    }
    if (words.size() > MAX_WORDS) {
      return 0;
    }
    numbers.put(word, words.size());
    words.add(word);
    return words.size() - 1;
  }

  private void grow() {
    int length = (int) Math.min(limit, 2L * micros.length);
    micros = Arrays.copyOf(micros, length);
    clients = Arrays.copyOf(clients, length);
    causes = Arrays.copyOf(causes, length);
    operations = Arrays.copyOf(operations, length);
    bytes = Arrays.copyOf(bytes, length);
  }
}
