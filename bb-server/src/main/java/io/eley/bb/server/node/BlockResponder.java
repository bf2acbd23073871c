package io.eley.bb.server.node;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.server.net.FilePart;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.store.StoredBlock;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer to one {@link ReadBlock}: as many frames as it takes, in ascending order. What is in
 * the store leaves at once, in one frame when that is all; for the rest it waits, chunk by chunk.
 *
 * <p>Threads: begins on the session's event loop and goes on wherever a chunk's arrival is
 * notified, one step after the other. {@link #cancel} may come from the event loop at any time.
 *
 * <p>The pin on the block is shared by this answer and each frame on its way; the last one gives it
 * back.
 */
final class BlockResponder {
  private static final Logger LOG = LoggerFactory.getLogger(BlockResponder.class);

  private final Session session;
  private final long correlation;
  private final ReadBlock request;
  private final StoredBlock block;
  private final Terms terms;
  private final BitSet hits;
  private final int end;
  private final AtomicInteger holders = new AtomicInteger(1);
  private int position;
  private volatile boolean cancelled;
  private volatile @Nullable CompletableFuture<Void> waiting;

  /**
   * What is the same for every answer of a node.
   *
   * @param chunkSize bytes
   * @param deadline how long bytes may take to arrive
   * @param served counts
   */
  record Terms(int chunkSize, Duration deadline, ServedBytes served) {}

  /** Takes over the pin. */
  BlockResponder(
      Session session, long correlation, ReadBlock request, StoredBlock block, Terms terms) {
    this.session = session;
    this.correlation = correlation;
    this.request = request;
    this.block = block;
    this.terms = terms;
    this.position = request.offset();
    this.end = request.offset() + request.length();
    this.hits = present();
  }

  /** The chunks that are there now: only they count as hits, whenever they are sent. */
  private BitSet present() {
    var present = new BitSet();
    int first = position / terms.chunkSize();
    int last = (end - 1) / terms.chunkSize();
    if (block.arrived(position, request.length())) {
      present.set(first, last + 1);
      return present;
    }
    for (int chunk = first; chunk <= last; chunk++) {
      int from = Math.max(position, chunk * terms.chunkSize());
      present.set(chunk, block.arrived(from, chunkEnd(from) - from));
    }
    return present;
  }

  /**
   * Sends what can be sent.
   *
   * @param done run once when nothing more will be sent
   */
  void run(Runnable done) {
    try {
      while (position < end && !cancelled) {
        int ready = readyEnd();
        if (ready == position) {
          await(done);
          return;
        }
        send(ready);
      }
      finish(done);
    } catch (EleyException e) {
      fail(e, done);
    } catch (RuntimeException e) {
      // On a fetcher's thread nobody else would notice the defect, and the client would wait for
      // ever.
      LOG.error("defect while answering a read of {}", request.block(), e);
      fail(new EleyException(ErrorCode.INTERNAL, "defect while reading " + request.block()), done);
    }
  }

  /** Where the run of bytes that can leave in the next frame ends. */
  private int readyEnd() {
    int ready = position;
    boolean hit = hits.get(position / terms.chunkSize());
    while (ready < end
        && hits.get(ready / terms.chunkSize()) == hit
        && (hit || block.arrived(ready, chunkEnd(ready) - ready))) {
      ready = chunkEnd(ready);
    }
    return ready;
  }

  private int chunkEnd(int from) {
    long next = ((long) from / terms.chunkSize() + 1) * terms.chunkSize();
    return (int) Math.min(end, next);
  }

  private void send(int to) throws EleyException {
    int length = to - position;
    boolean hit = hits.get(position / terms.chunkSize());
    List<Integer> checksums =
        request.verify() ? block.checksums(position, length) : List.<Integer>of();
    var header = new BlockData(position, to == end, hit, checksums);
    var channel = block.channel();
    // Counted before they are sent, so that whoever has the bytes finds them counted.
    terms.served().count(length, hit);
    holders.incrementAndGet();
    session.replyBlock(correlation, header, new FilePart(channel, position, length, this::release));
    position = to;
  }

  private void await(Runnable done) {
    // A copy, since the deadline and a cancellation complete it, and the store owns the original.
    var arrival = block.whenArrived(position, chunkEnd(position) - position).copy();
    waiting = arrival;
    if (cancelled) {
      arrival.cancel(false);
    }
    var unused =
        arrival
            .orTimeout(terms.deadline().toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (nothing, error) -> {
                  if (error == null) {
                    run(done);
                  } else {
                    fail(toEley(error), done);
                  }
                });
  }

  private EleyException toEley(Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    if (cause instanceof EleyException ours) {
      return ours;
    }
    if (cause instanceof TimeoutException) {
      return new EleyException(
          ErrorCode.DEADLINE,
          "bytes have not arrived for " + terms.deadline().toMillis() + " ms: " + request.block());
    }
    if (cause instanceof CancellationException) {
      return new EleyException(ErrorCode.UNAVAILABLE, "the connection has ended");
    }
    return new EleyException(ErrorCode.INTERNAL, "defect while waiting for " + request.block());
  }

  private void fail(EleyException error, Runnable done) {
    if (!cancelled) {
      session.reply(correlation, Failure.of(error));
    }
    finish(done);
  }

  private void finish(Runnable done) {
    release();
    done.run();
  }

  private void release() {
    if (holders.decrementAndGet() == 0) {
      block.close();
    }
  }

  /** Stops waiting, if it does, and answers with this failure; any thread. */
  void giveUp(EleyException why) {
    var arrival = waiting;
    if (arrival != null) {
      arrival.completeExceptionally(why);
    }
  }

  /** The session has ended: stops waiting and gives the pin back. */
  void cancel() {
    cancelled = true;
    var arrival = waiting;
    if (arrival != null) {
      arrival.cancel(false);
    }
  }
}
