package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.FrameSealer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Many threads' frames on their way into one socket, one at a time.
 *
 * <p>A peer that is stopped takes nothing more, and a blocking socket waits for that for ever. So
 * <i>whoever writes</i> is looked after: when nothing has left for as long as he said, the output
 * is shut down, which ends his write with an error. Closing the socket instead would not end a
 * {@code sendfile(2)}. <i>Nobody else</i> waits behind a frame: one without a payload is left to
 * the thread that writes just now, so that a reader learns within its own patience that the peer is
 * silent.
 *
 * <p>A thread that is interrupted closes the socket it writes to, and so ends what all others have
 * under way. A frame without a payload hardly ever waits, so it leaves all the same. One with a
 * payload does not begin to.
 *
 * <p>Looks cost a write two counters. They come while there are writes, on the JDK's own timer
 * thread.
 *
 * <p>Safe for several threads.
 */
final class Outbox {
  /** Looks within the shortest time that a write may stand still. */
  private static final int LOOKS = 4;

  private final SocketChannel channel;
  private final FrameOutput out;
  private final Duration stall;
  private final Duration pause;
  private final Queue<ByteBuffer> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock turn = new ReentrantLock();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicBoolean lookDue = new AtomicBoolean();
  private volatile boolean stalled;

  /** After how many looks that see nothing leave the write is given up; 0 is none under way. */
  private volatile int most;

  // Of the latest look; looks follow each other.
  private long seen = -1;
  private int same;

  /**
   * Nothing has left yet.
   *
   * @param channel connected, and blocking
   * @param stall how long nothing may leave of a frame without a payload
   */
  Outbox(SocketChannel channel, FrameSealer sealer, Duration stall) {
    this.channel = channel;
    this.out = new FrameOutput(channel, sealer);
    this.stall = stall;
    pause = stall.dividedBy(LOOKS);
  }

  /**
   * Sends a frame without a payload. Blocks until it has left, or not at all while another thread
   * writes: then that one sends it, and what becomes of it shows at the connection's end. A thread
   * that was interrupted before may send it, and stays interrupted.
   */
  void write(ByteBuffer frame) throws IOException {
    waiting.add(frame);
    writeWaiting();
  }

  /**
   * Sends a frame and its payload. Blocks until they have left.
   *
   * @param stall how long nothing of it may leave
   * @throws EleyException {@code INTERRUPTED} while others write: nothing of it has left
   */
  void write(ByteBuffer frame, FilePayload payload, Duration stall) throws IOException {
    takeTurn();
    try {
      begin(stall);
      out.write(frame, payload);
    } finally {
      end();
    }
    writeWaiting();
  }

  private void takeTurn() throws EleyException {
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted before a payload was sent", e);
    }
  }

  /** Whether it was ended because the peer took nothing any more. */
  boolean stalled() {
    return stalled;
  }

  /** A frame that comes while this thread writes is seen here, also behind the last one. */
  private void writeWaiting() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (!waiting.isEmpty() && turn.tryLock()) {
        writeInTurn();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void writeInTurn() throws IOException {
    try {
      begin(stall);
      for (ByteBuffer next = waiting.poll(); next != null; next = waiting.poll()) {
        out.write(next);
      }
    } finally {
      end();
    }
  }

  private void begin(Duration stall) {
    begun.incrementAndGet();
    most = (int) Math.max(1, stall.dividedBy(pause));
    if (!lookDue.get() && lookDue.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void end() {
    most = 0;
    turn.unlock();
  }

  private void lookLater() {
    try {
      CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
          .execute(this::look);
    } catch (OutOfMemoryError e) {
      lookDue.set(false); // No thread can be started: the next write tries again.
    }
  }

  /** Looks are counted, not timed: a machine that stood still as a whole is no peer's fault. */
  private void look() {
    int bound = most;
    long moved = begun.get() + out.moved();
    if (moved != seen) {
      seen = moved;
      same = 0;
    } else if (bound == 0) {
      rest();
      return;
    } else if (++same >= bound) {
      shutDown();
      return;
    }
    lookLater();
  }

  /** No looks until the next write, which may have begun meanwhile. */
  private void rest() {
    lookDue.set(false);
    if (most != 0 && lookDue.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void shutDown() {
    stalled = true;
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      // It is closed, and so is the output: see Connection.
    }
  }
}
