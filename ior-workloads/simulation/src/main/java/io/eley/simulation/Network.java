package io.eley.simulation;

import java.util.Random;

/**
 * Messages with a random delay, in order between two ends, some of them lost (as when a connection
 * breaks: what was said last never arrives).
 */
final class Network {
  private final Agenda agenda;
  private final Random random;
  private final long leastNanos;
  private final long mostNanos;
  private final double loss;
  private long lost;

  /**
   * A network.
   *
   * @param mostNanos of a message's delay
   * @param loss part of the messages that is lost, 0 to 1
   */
  Network(Agenda agenda, Random random, long mostNanos, double loss) {
    this.agenda = agenda;
    this.random = random;
    this.leastNanos = Math.min(50_000, mostNanos);
    this.mostNanos = mostNanos;
    this.loss = loss;
  }

  /** One direction between two ends: what is sent first arrives first. */
  final class Path {
    private long lastArrival;

    /** Sends; says whether it will arrive. */
    boolean send(Runnable arrival) {
      if (random.nextDouble() < loss) {
        lost++;
        return false;
      }
      deliver(arrival);
      return true;
    }

    /** Sends what the sender repeats until it is heard: a loss costs a second. */
    void sendSurely(Runnable arrival) {
      if (random.nextDouble() < loss) {
        lost++;
        agenda.after(1_000_000_000L, () -> sendSurely(arrival));
      } else {
        deliver(arrival);
      }
    }

    private void deliver(Runnable arrival) {
      long delay = leastNanos + (long) (random.nextDouble() * (mostNanos - leastNanos));
      lastArrival = Math.max(lastArrival, agenda.now() + delay);
      agenda.at(lastArrival, arrival);
    }
  }

  Path path() {
    return new Path();
  }

  long mostNanos() {
    return mostNanos;
  }

  long lost() {
    return lost;
  }
}
