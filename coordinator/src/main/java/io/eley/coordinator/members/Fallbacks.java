package io.eley.coordinator.members;

import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import io.eley.controller.loop.PastRead;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The clients that move bytes past the buffer: how fast they may, and how much they have moved.
 * They share what one node may read for tasks that wait, since each of them stands in for a node
 * that does not serve. On the agent's thread.
 */
public final class Fallbacks {
  private static final Duration LIFE = Duration.ofMillis(500);

  /** A client that has not asked for this long takes no share. */
  private static final Duration ACTIVE = Duration.ofSeconds(2);

  /** Clients that are long gone are forgotten beyond this many; their bytes stay counted. */
  private static final int MOST = 10_000;

  private record Key(String client, ReadCause cause) {}

  private record Client(long bytes, long askedAt, SenderClock clock) {}

  private final Map<Key, Client> clients = new HashMap<>();
  private final Map<ReadCause, Long> bytes = new EnumMap<>(ReadCause.class);

  /**
   * Takes what a client reports.
   *
   * @param now nanoseconds
   * @return what it has moved since its last report, evenly about the moment that it tells
   */
  public PastRead take(AskFallback question, long now) {
    var key = new Key(question.client(), question.cause());
    Client before = clients.get(key);
    // What was answered before, but not by us, our predecessor has counted.
    long known = before == null ? question.answered() : before.bytes();
    long moved = Math.max(0, question.bytes() - known);
    bytes.merge(question.cause(), moved, Long::sum);
    if (before == null && clients.size() >= MOST) {
      clients.values().removeIf(client -> !active(client, now));
    }
    SenderClock clock = before == null ? new SenderClock() : before.clock();
    long counted = clock.sentAt(question.at(), now);
    if (before != null || clients.size() < MOST) {
      clients.put(key, new Client(question.bytes(), now, clock));
    }
    return new PastRead(question.cause(), moved, counted - 2 * question.age(), counted);
  }

  /**
   * How fast a client may move bytes now.
   *
   * @param demand what a node may read now for tasks that wait
   * @param now nanoseconds
   */
  public FallbackLane lane(Lane demand, long now) {
    if (demand.closed()) {
      return new FallbackLane(0, LIFE);
    }
    long rate = demand.bytesPerSecond();
    long share = rate == Lane.UNLIMITED ? rate : Math.max(1, rate / Math.max(1, active(now)));
    return new FallbackLane(share, LIFE);
  }

  /** Bytes that all clients have moved past the buffer for a cause, as far as they report. */
  public long bytes(ReadCause cause) {
    return bytes.getOrDefault(cause, 0L);
  }

  /** A line for people, when there is something to say. */
  public Optional<String> describe(long now) {
    long direct = bytes(ReadCause.DIRECT);
    long read = direct + bytes(ReadCause.FALLBACK);
    long written = bytes(ReadCause.WRITE);
    return read + written == 0
        ? Optional.empty()
        : Optional.of(
            "past the buffer: "
                + read
                + " bytes read, "
                + (direct == 0 ? "" : direct + " of them on purpose, ")
                + written
                + " written, by "
                + movers(now)
                + " clients just now");
  }

  /** Who has asked lately; who does so for two causes takes two shares. */
  private long active(long now) {
    return clients.values().stream().filter(client -> active(client, now)).count();
  }

  private long movers(long now) {
    return clients.entrySet().stream()
        .filter(each -> active(each.getValue(), now))
        .map(each -> each.getKey().client())
        .distinct()
        .count();
  }

  private static boolean active(Client client, long now) {
    return now - client.askedAt() < ACTIVE.toNanos();
  }
}
