package io.eley.coordinator.live;

import io.eley.coordinator.agent.Agent;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Documents for those who look: one a second while there is a viewer, none while there is not. The
 * agent makes them and hands them over; it never waits for a viewer, and a viewer that is slow gets
 * the newest document and none of those between.
 *
 * <p>Safe for several threads.
 */
public final class LiveFeed {
  /** More people do not look at once; each holds a thread. */
  static final int VIEWERS = 16;

  private static final Duration PERIOD = LiveDocuments.STEP;

  private final Agent agent;
  private final Supplier<LiveDocument> maker;

  /** Whether the agent will make the next document by itself; the agent's thread alone uses it. */
  private boolean running;

  private int viewers;
  private long made;
  private @Nullable LiveDocument newest;

  /**
   * A feed that nobody looks at yet.
   *
   * @param maker of documents, called on the agent's thread
   */
  public LiveFeed(Agent agent, Supplier<LiveDocument> maker) {
    this.agent = agent;
    this.maker = maker;
  }

  /** One document of this moment, without looking on. */
  CompletableFuture<LiveDocument> once() {
    return CompletableFuture.supplyAsync(maker, agent::execute);
  }

  /** Begins to look; empty when too many do already. */
  Optional<Viewer> open() {
    synchronized (this) {
      if (viewers == VIEWERS) {
        return Optional.empty();
      }
      viewers++;
    }
    agent.execute(this::begin);
    return Optional.of(new Viewer());
  }

  private void begin() {
    if (!running) {
      running = true;
      make();
    }
  }

  private void make() {
    running = watched();
    if (running) {
      agent.after(PERIOD, this::make); // also after one that meets a defect
      LiveDocument document = maker.get();
      synchronized (this) {
        newest = document;
        made++;
        notifyAll();
      }
    }
  }

  private synchronized boolean watched() {
    return viewers > 0;
  }

  /** How many documents were made since the start. */
  synchronized long made() {
    return made;
  }

  /** One who looks, on one thread. */
  final class Viewer implements AutoCloseable {
    private long seen;
    private boolean closed;

    private Viewer() {
      synchronized (LiveFeed.this) {
        seen = made;
      }
    }

    /** Waits for a document that is newer than the last one; empty when none came in time. */
    Optional<LiveDocument> next(Duration patience) throws InterruptedException {
      long until = System.nanoTime() + patience.toNanos();
      synchronized (LiveFeed.this) {
        for (long left = patience.toNanos(); made == seen; left = until - System.nanoTime()) {
          if (left <= 0) {
            return Optional.empty();
          }
          TimeUnit.NANOSECONDS.timedWait(LiveFeed.this, Math.max(left, 1_000_000));
        }
        seen = made;
        return Optional.ofNullable(newest);
      }
    }

    /** Looks no more; once is enough. */
    @Override
    public void close() {
      synchronized (LiveFeed.this) {
        if (!closed) {
          closed = true;
          viewers--;
        }
      }
    }
  }
}
