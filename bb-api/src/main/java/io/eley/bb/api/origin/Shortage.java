package io.eley.bb.api.origin;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Says in the log that the system refuses something, threads or descriptors, and when that is over:
 * one line each. At a limit each one that somebody gives back lets another one through, so a
 * shortage is over when nothing was refused for some time. Safe for several threads; never blocks.
 */
public final class Shortage {
  private static final Duration CALM = Duration.ofSeconds(10);

  private final System.Logger log;
  private final String over;
  private final LongSupplier nanoClock;
  private volatile boolean said;
  private volatile long refusedAt;

  /**
   * Nothing was refused yet.
   *
   * @param log of whoever needs it
   * @param over the line that says that it is there again
   */
  public Shortage(System.Logger log, String over) {
    this(log, over, System::nanoTime);
  }

  /** The same with another clock, as {@link System#nanoTime}. */
  Shortage(System.Logger log, String over, LongSupplier nanoClock) {
    this.log = log;
    this.over = over;
    this.nanoClock = nanoClock;
  }

  /**
   * The system has refused it.
   *
   * @param line says so, and what is done instead; logged when it is news
   */
  public synchronized void noteRefused(String line) {
    boolean news = !said || calm();
    refusedAt = nanoClock.getAsLong();
    said = true;
    if (news) {
      log.log(Level.WARNING, line);
    }
  }

  /** The system has not refused it this time. Cheap while there is no shortage. */
  public void noteGiven() {
    if (said) {
      endIfCalm();
    }
  }

  private synchronized void endIfCalm() {
    if (said && calm()) {
      said = false;
      log.log(Level.INFO, over);
    }
  }

  private boolean calm() {
    return nanoClock.getAsLong() - refusedAt > CALM.toNanos();
  }
}
