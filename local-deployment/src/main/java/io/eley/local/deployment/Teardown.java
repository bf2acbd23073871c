package io.eley.local.deployment;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must be ended, in the reverse order of its start: processes, directories. Whatever way it
 * ends (done, failed, interrupted, the JVM told to exit), each thing is closed exactly once. Safe
 * for several threads, since the JVM's exit comes on a thread of its own.
 */
public final class Teardown implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Teardown.class);

  /** Starts a thing at once. */
  @FunctionalInterface
  public interface Starter<T extends AutoCloseable> {
    T start() throws IOException;
  }

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final ReentrantLock ending = new ReentrantLock();
  private final Runnable afterwards;
  private boolean closed;

  private Teardown(Runnable afterwards) {
    this.afterwards = afterwards;
  }

  /** A teardown that happens when it is closed, and not by itself. */
  public static Teardown detached() {
    return new Teardown(() -> {});
  }

  /** A teardown that also happens when the JVM exits. */
  public static Teardown onExit() {
    var hooks = new ArrayDeque<Thread>();
    var teardown = new Teardown(() -> hooks.forEach(Teardown::removeHook));
    var hook = new Thread(teardown::close, "eley-exit");
    hooks.add(hook);
    Runtime.getRuntime().addShutdownHook(hook);
    return teardown;
  }

  /** A part of this one that may end earlier. */
  public Teardown nested() throws EleyException {
    var holder = new ArrayDeque<Teardown>();
    var nested = new Teardown(() -> forget(holder.getFirst()));
    holder.add(nested);
    return add(nested);
  }

  /**
   * Remembers a thing that has just been started.
   *
   * @throws EleyException {@code UNAVAILABLE} when everything is being ended already; the thing has
   *     been closed then
   */
  public <T extends AutoCloseable> T add(T thing) throws EleyException {
    synchronized (open) {
      if (!closed) {
        open.push(thing);
        return thing;
      }
    }
    close(thing);
    throw ended();
  }

  private static EleyException ended() {
    return new EleyException(ErrorCode.UNAVAILABLE, "everything is being ended already");
  }

  /**
   * Starts a thing and remembers it. An end waits until it has started, so that nothing falls
   * between the two; this is for what starts within milliseconds.
   *
   * @throws EleyException {@code UNAVAILABLE} when everything is being ended already; the thing has
   *     not been started then
   */
  public <T extends AutoCloseable> T start(Starter<T> starter) throws IOException {
    return make(
        () -> {
          T thing = starter.start();
          open.push(thing);
          return thing;
        });
  }

  /** Makes something that needs no end of its own, such as a file in a directory that has one. */
  @FunctionalInterface
  public interface Maker<T> {
    T make() throws IOException;
  }

  /**
   * Makes something where a thing that was added will find it when it is closed: an end waits until
   * it is made, and behind one nothing is.
   *
   * @throws EleyException {@code UNAVAILABLE} when everything is being ended already; nothing has
   *     been made then
   */
  public <T> T make(Maker<T> maker) throws IOException {
    synchronized (open) {
      if (closed) {
        throw ended();
      }
      return maker.make();
    }
  }

  /**
   * Closes everything, the youngest first, and waits for an end that is under way on another
   * thread. What fails is logged and does not stop the rest, nor does an interrupt of this thread,
   * which stays interrupted.
   */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    ending.lock(); // Two threads that took turns would close an older thing before a younger one.
    try {
      AutoCloseable next = take();
      while (next != null) {
        close(next);
        interrupted |= Thread.interrupted();
        next = take();
      }
    } finally {
      ending.unlock();
    }
    afterwards.run();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Leaves to itself whatever there is, and says so: an end waits for that, and ends nothing of it.
   *
   * @throws EleyException {@code UNAVAILABLE} when everything is being ended already; nothing has
   *     been said then
   */
  public void leave(Runnable saying) throws EleyException {
    synchronized (open) {
      if (closed) {
        throw ended();
      }
      open.clear();
      saying.run();
    }
  }

  /** Whether everything is being ended, or has been. */
  public boolean closed() {
    synchronized (open) {
      return closed;
    }
  }

  private @Nullable AutoCloseable take() {
    synchronized (open) {
      closed = true;
      return open.poll();
    }
  }

  private void forget(Teardown nested) {
    synchronized (open) {
      open.remove(nested);
    }
  }

  private static void close(AutoCloseable thing) {
    try {
      thing.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("cannot end {}: {}", thing, e.toString());
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is exiting, and this is that thread.
    }
  }
}
