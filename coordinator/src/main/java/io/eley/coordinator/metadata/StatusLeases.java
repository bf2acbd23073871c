package io.eley.coordinator.metadata;

import io.eley.bb.api.wire.MetadataMessage.StatusesChanged;
import io.eley.bb.server.net.Session;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which clients may answer for statuses themselves, and until when. A client that asks for a status
 * holds a lease from then on: one for all statuses, since a change takes back all. It is told of
 * each change that somebody else makes, and who has made it waits until everybody has confirmed, or
 * his lease has run out, so that then nobody answers with what was before.
 *
 * <p>Why nothing slips through. A question lends before the cache is asked, and a change recalls
 * after the cache has forgotten: so a question that the recall does not know of is answered by what
 * is new. A client that was told holds nothing any more until it asks again, so it is told once for
 * each time that it has asked, however many changes there are; but who changes something while it
 * has not confirmed an earlier one waits for that, too. A session that has closed holds nothing: a
 * client stops answering before it closes, and where we close, the client has not read for longer
 * than a lease lasts.
 *
 * <p>Kept are a moment for each session that has asked, and what it has not confirmed, until it
 * closes. Safe for several threads; nothing blocks, and nobody is called under the lock.
 */
public final class StatusLeases {
  /**
   * Less than twice the silence after which a client gives a coordinator up that hangs (300 ms), so
   * that a lease has run out by the time at which a change returns unconfirmed.
   */
  static final Duration LONGEST = Duration.ofMillis(500);

  /** Ends a wait that nobody else ends. */
  interface Alarm {
    /** Completes the wait after this time unless that was done before; does not block. */
    void complete(CompletableFuture<Void> wait, long nanos);
  }

  /** A change that a client was told of. */
  private record Told(long number, CompletableFuture<Void> confirmed) {}

  /** A client's lease; guarded by the owner's lock. */
  private static final class Lease {
    private final Deque<Told> told = new ArrayDeque<>();
    private long until;

    /** Those that it has confirmed with this number. */
    List<Told> take(long number) {
      var taken = new ArrayList<Told>();
      while (!told.isEmpty() && told.getFirst().number() - number <= 0) {
        taken.add(told.removeFirst());
      }
      return taken;
    }
  }

  private final Duration length;
  private final LongSupplier clock;
  private final Alarm alarm;
  private final Map<Session, Lease> leases = new HashMap<>();
  private long changes;

  /**
   * Without leases yet.
   *
   * @param usual how long a status may be taken for true; leases are no longer than that
   * @param clock as {@link System#nanoTime}
   */
  public StatusLeases(Duration usual, LongSupplier clock) {
    this(usual, clock, StatusLeases::completeByTimer);
  }

  StatusLeases(Duration usual, LongSupplier clock, Alarm alarm) {
    length = usual.compareTo(LONGEST) < 0 ? usual : LONGEST;
    this.clock = clock;
    this.alarm = alarm;
  }

  /** On the JDK's own timer thread. */
  private static void completeByTimer(CompletableFuture<Void> wait, long nanos) {
    var unused = wait.completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
  }

  /** How long a status may be kept from the moment on at which it was asked for. */
  public Duration length() {
    return length;
  }

  /** Notes that a client has asked for a status; before anybody looks for the answer. */
  public synchronized void lend(Session session) {
    leases.computeIfAbsent(session, s -> new Lease()).until = clock.getAsLong() + length.toNanos();
  }

  /**
   * Notes a change; after the answers from before it have been forgotten.
   *
   * @param by whose client has made it, and lets go by itself
   * @return done when no other client answers with what was before; completed by whoever confirms
   *     last, or by a timer
   */
  public CompletableFuture<Void> changed(Session by) {
    var recalled = new ArrayList<Session>();
    var waits = new ArrayList<CompletableFuture<Void>>();
    long number;
    synchronized (this) {
      number = ++changes;
      long now = clock.getAsLong();
      leases.forEach(
          (session, lease) -> {
            if (session != by) {
              if (recall(lease, number, now)) {
                recalled.add(session);
              }
              lease.told.forEach(told -> waits.add(told.confirmed()));
            }
          });
    }
    recalled.forEach(session -> session.push(new StatusesChanged(number)));
    return CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new));
  }

  /** Whether there was something to recall. */
  private boolean recall(Lease lease, long number, long now) {
    lease.told.removeIf(told -> told.confirmed().isDone());
    long left = lease.until - now;
    if (left <= 0) {
      return false;
    }
    var told = new Told(number, new CompletableFuture<>());
    alarm.complete(told.confirmed(), left);
    lease.told.add(told);
    lease.until = now;
    return true;
  }

  /** Notes that a client answers with nothing any more that it had asked for before this change. */
  public void seen(Session session, long number) {
    List<Told> confirmed;
    synchronized (this) {
      Lease lease = leases.get(session);
      confirmed = lease == null ? List.of() : lease.take(number);
    }
    confirmed.forEach(told -> told.confirmed().complete(null));
  }

  /** Notes that a session has ended: nobody waits for it any more. */
  public void closed(Session session) {
    List<Told> released;
    synchronized (this) {
      Lease lease = leases.remove(session);
      released = lease == null ? List.of() : List.copyOf(lease.told);
    }
    released.forEach(told -> told.confirmed().complete(null));
  }
}
