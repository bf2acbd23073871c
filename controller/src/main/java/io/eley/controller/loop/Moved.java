package io.eley.controller.loop;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import java.util.Map;

/**
 * What a node has moved since its start, as it reports with each confirmation.
 *
 * @param originBytes bytes read from the origin, by cause
 * @param waitingFetches fetches that wait for a permit or a fetcher
 * @param throttled answers of the origin that asked for fewer requests
 * @param underWay reads that go on whatever the permit says
 */
public record Moved(
    Map<ReadCause, Long> originBytes, int waitingFetches, long throttled, UnderWay underWay) {
  /** No bytes and no fetches, as before the first report. */
  public static final Moved NOTHING = new Moved(Map.of(), 0);

  /** On an origin that asks for nothing. */
  public Moved(Map<ReadCause, Long> originBytes, int waitingFetches) {
    this(originBytes, waitingFetches, 0);
  }

  /** With no read under way. */
  public Moved(Map<ReadCause, Long> originBytes, int waitingFetches, long throttled) {
    this(originBytes, waitingFetches, throttled, UnderWay.NONE);
  }

  public Moved {
    originBytes = Map.copyOf(originBytes);
  }

  /** All bytes read from the origin. */
  public long originTotal() {
    return originBytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
