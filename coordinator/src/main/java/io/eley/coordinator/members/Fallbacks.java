package io.eley.coordinator.members;

import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The clients that read past the buffer: how fast they may, and how much they have read. They share
 * what one node may read for tasks that wait, since each of them stands in for a node that does not
 * serve. On the agent's thread.
 */
public final class Fallbacks {
  private static final Duration LIFE = Duration.ofMillis(500);

  /** A client that has not asked for this long takes no share. */
  private static final Duration ACTIVE = Duration.ofSeconds(2);

  /** Clients that are long gone are forgotten beyond this many; their bytes stay counted. */
  private static final int MOST = 10_000;

  private record Client(long bytes, long askedAt) {}

  private final Map<String, Client> clients = new HashMap<>();
  private long bytes;

  /**
   * Answers a client.
   *
   * @param demand what a node may read now for tasks that wait
   * @param now nanoseconds
   */
  public FallbackLane answer(AskFallback question, Lane demand, long now) {
    Client before = clients.get(question.client());
    // What was answered before, but not by us, our predecessor has counted.
    long counted = before == null ? question.answered() : before.bytes();
    bytes += Math.max(0, question.bytes() - counted);
    if (before == null && clients.size() >= MOST) {
      clients.values().removeIf(client -> !active(client, now));
    }
    if (before != null || clients.size() < MOST) {
      clients.put(question.client(), new Client(question.bytes(), now));
    }
    if (demand.closed()) {
      return new FallbackLane(0, LIFE);
    }
    long rate = demand.bytesPerSecond();
    long share = rate == Lane.UNLIMITED ? rate : Math.max(1, rate / Math.max(1, active(now)));
    return new FallbackLane(share, LIFE);
  }

  /** Bytes that all clients have read past the buffer, as far as they have reported. */
  public long bytes() {
    return bytes;
  }

  /** A line for people, when there is something to say. */
  public Optional<String> describe(long now) {
    return bytes == 0
        ? Optional.empty()
        : Optional.of(
            "past the buffer: " + bytes + " bytes, by " + active(now) + " clients just now");
  }

  private long active(long now) {
    return clients.values().stream().filter(client -> active(client, now)).count();
  }

  private static boolean active(Client client, long now) {
    return now - client.askedAt() < ACTIVE.toNanos();
  }
}
