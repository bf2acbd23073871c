package io.eley.coordinator.board;

import io.eley.bb.server.net.Session;
import io.eley.controller.board.Asker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a board and how often each deployment asks. A token is proved as often as its
 * user likes, and all of them share one thread with everybody's answers and the board's own clock:
 * so it is keys and users that are counted, not connections.
 *
 * <p>Not thread-safe: for the board's event loop. Times are nanoseconds of the board's clock.
 */
final class BoardSessions {
  /** One, and another while the first one's end is not known here yet: then the first one ends. */
  static final int MOST_OF_A_KEY = 2;

  /** As many as count; a further one is ended, so that those that are there go on. */
  static final int MOST_OF_A_USER = 64;

  /** Between two questions of a deployment; they come each 150 ms. */
  static final Duration SHORTEST = Duration.ofMillis(20);

  /** A refusal costs as much as an answer: after so many more than answers a session is ended. */
  static final int MOST_REFUSALS = 50;

  private static final Logger LOG = LoggerFactory.getLogger(BoardSessions.class);

  private final Map<String, Deployment> byKey = new HashMap<>();
  private final Map<String, Integer> byUser = new HashMap<>();

  /** What is kept of a key while it has sessions. */
  static final class Deployment {
    private final Asker asker;
    private final Deque<Session> sessions = new ArrayDeque<>();
    private long spokeAt;
    private int refusals;

    private Deployment(Asker asker, long now) {
      this.asker = asker;
      spokeAt = now - SHORTEST.toNanos();
    }

    Asker asker() {
      return asker;
    }

    /** Notes that it has said something; returns whether that was too soon. */
    boolean speaksTooOften(long now) {
      boolean tooOften = now - spokeAt < SHORTEST.toNanos();
      spokeAt = now;
      return tooOften;
    }

    void noteAnswer() {
      refusals = Math.max(0, refusals - 1);
    }

    /** Notes that it was refused; returns whether that is enough. */
    boolean isRefusedTooOften() {
      return ++refusals > MOST_REFUSALS;
    }
  }

  /**
   * Takes a session that has just been proved. May end the oldest one of its key.
   *
   * @return empty when its user has too many, and the session is ended
   */
  Optional<Deployment> open(Session session, Asker asker, long now) {
    Deployment of = byKey.get(asker.key());
    boolean full = byUser.getOrDefault(asker.user(), 0) >= MOST_OF_A_USER;
    if (of != null && (full || of.sessions.size() >= MOST_OF_A_KEY)) {
      Session oldest = of.sessions.element();
      close(oldest, of);
      oldest.close();
    } else if (full) {
      LOG.debug("user {} has {} connections, a further one is ended", asker.user(), MOST_OF_A_USER);
      session.close();
      return Optional.empty();
    }
    Deployment kept = byKey.computeIfAbsent(asker.key(), key -> new Deployment(asker, now));
    kept.sessions.add(session);
    byUser.merge(asker.user(), 1, Integer::sum);
    return Optional.of(kept);
  }

  /** Forgets a session that has ended; one that was ended here is forgotten already. */
  void close(Session session, Deployment of) {
    if (of.sessions.remove(session)) {
      byUser.computeIfPresent(of.asker.user(), (user, many) -> many == 1 ? null : many - 1);
      if (of.sessions.isEmpty()) {
        byKey.remove(of.asker.key());
      }
    }
  }
}
