package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A request that waits for its answer. The thread that reads the connection calls its methods,
 * unless they say otherwise.
 */
sealed interface Pending {
  /** The connection ended; nothing will come any more. Any thread. */
  void fail(EleyException why);

  /**
   * A message came.
   *
   * @return whether the request is answered completely
   */
  boolean answered(Message message);

  /** A request that is answered by one message. */
  record Call(CompletableFuture<Message> future) implements Pending {
    @Override
    public void fail(EleyException why) {
      future.completeExceptionally(why);
    }

    @Override
    public boolean answered(Message message) {
      if (message instanceof ReplyMessage.Failure failure) {
        future.completeExceptionally(failure.toException());
      } else {
        future.complete(message);
      }
      return true;
    }
  }

  /**
   * A block read. Its target belongs to that thread from the request on until the future is done or
   * {@link #abandon} has returned.
   */
  final class Read implements Pending {
    private final ReadBlock request;
    private final CompletableFuture<BlockReply> future = new CompletableFuture<>();
    private final List<Integer> checksums = new ArrayList<>();
    private final ByteBuffer target;
    private final ArrivalListener arrivals;
    private int received;
    private int hits;
    private boolean filling;
    private boolean abandoned;
    private boolean touched;

    Read(ReadBlock request, ByteBuffer target, ArrivalListener arrivals) {
      this.request = request;
      this.target = target;
      this.arrivals = arrivals;
    }

    CompletableFuture<BlockReply> future() {
      return future;
    }

    /**
     * Takes the target for a payload.
     *
     * @return where the payload belongs, or empty when nobody wants it any more: then it is
     *     drained, and counts as received, since more of it may follow
     * @throws EleyException {@code MALFORMED} when the payload is not what was asked for
     */
    synchronized java.util.Optional<ByteBuffer> begin(BlockData data, int length)
        throws EleyException {
      if (data.offset() != request.offset() + received || length > request.length() - received) {
        throw new EleyException(
            ErrorCode.MALFORMED,
            "asked for "
                + request
                + ", got "
                + length
                + " bytes at "
                + data.offset()
                + " after "
                + received);
      }
      if (abandoned) {
        received += length;
        return java.util.Optional.empty();
      }
      ByteBuffer place = target.slice(target.position() + received, length);
      touched = true;
      arrivals.expect(data.checksums());
      filling = true; // Last: whoever abandons this waits until it is not any more.
      return java.util.Optional.of(place);
    }

    /** Whether nothing has come to the target and the listener yet. */
    synchronized boolean untouched() {
      return !touched;
    }

    /** Notes how much of the payload is in the target. */
    void arrived(int ofPayload) {
      arrivals.arrived(received + ofPayload);
    }

    /** Gives the target back after a payload, complete or not. */
    synchronized void end() {
      filling = false;
      notifyAll();
    }

    /** Counts a payload that is in the target completely. */
    boolean filled(BlockData data, int length) {
      received += length;
      hits += data.arrived() ? length : 0;
      checksums.addAll(data.checksums());
      if (!data.last()) {
        return false;
      }
      if (received == request.length()) {
        future.complete(new BlockReply(received, hits, checksums));
      } else {
        fail(
            new EleyException(
                ErrorCode.MALFORMED, "answer ended after " + received + " bytes: " + request));
      }
      return true;
    }

    /**
     * The requester gives up and wants its target back. Any thread. Blocks while a payload is being
     * written into it, which {@code interrupt} must end soon (it closes the connection).
     */
    void abandon(Runnable interrupt) {
      boolean mustInterrupt;
      synchronized (this) {
        abandoned = true;
        mustInterrupt = filling;
      }
      if (mustInterrupt) {
        interrupt.run();
      }
      boolean interrupted = false;
      synchronized (this) {
        while (filling) {
          try {
            wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void fail(EleyException why) {
      future.completeExceptionally(why);
    }

    @Override
    public boolean answered(Message message) {
      if (message instanceof ReplyMessage.Failure failure) {
        fail(failure.toException());
      } else {
        fail(
            new EleyException(
                ErrorCode.MALFORMED, "unexpected answer to a read: " + message.type()));
      }
      return true;
    }
  }
}
