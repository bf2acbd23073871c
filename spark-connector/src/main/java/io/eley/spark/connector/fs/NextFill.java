package io.eley.spark.connector.fs;

import io.eley.bb.api.client.StartedRead;
import io.eley.bb.api.error.EleyException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a stream will read next, on its way while the stream's reader works on what it has. A scan
 * over a connection then waits for the network, or for the node, instead of for both and its own
 * work in turn. There is one at most, and it is taken or dropped once. For one thread at a time.
 */
final class NextFill {
  /** Where reads are started. */
  interface Source {
    /** As {@link io.eley.bb.api.client.BbFile#start}. */
    StartedRead start(long position, ByteBuffer target) throws EleyException;
  }

  private final Source source;
  private final FillBuffers buffers;
  private final AtomicReference<@Nullable Coming> coming = new AtomicReference<>();

  private record Coming(StartedRead read, FillBuffers.Lent target, long position) {}

  NextFill(Source source, FillBuffers buffers) {
    this.source = source;
    this.buffers = buffers;
  }

  /**
   * Asks for what is at a position. Does nothing where there is nothing to wait for: the bytes are
   * on this machine, or cannot be asked for ahead.
   */
  void start(long at) {
    drop();
    FillBuffers.Lent fresh;
    try {
      fresh = buffers.take();
    } catch (OutOfMemoryError e) {
      return; // the stream asks when it needs it
    }
    try {
      StartedRead started = source.start(at, fresh.buffer());
      if (started.underWay()) {
        coming.set(new Coming(started, fresh, at));
        return;
      }
    } catch (EleyException e) {
      // The read that needs the bytes meets the same, and says so.
    }
    fresh.give();
  }

  /** Whether what is at this position was asked for. */
  boolean isAt(long at) {
    Coming now = coming.get();
    return now != null && now.position == at;
  }

  /**
   * Waits for what was asked for.
   *
   * @return ready to be read, to be given back; empty at the file's end
   */
  FillBuffers.Lent take() throws EleyException {
    Coming taken = Objects.requireNonNull(coming.getAndSet(null));
    try {
      int unused = taken.read.await();
      taken.target.buffer().flip();
      return taken.target;
    } catch (EleyException e) {
      taken.target.give();
      throw e;
    }
  }

  /** Gives up what was asked for, if anything; does not wait. */
  void drop() {
    Coming dropped = coming.getAndSet(null);
    if (dropped != null) {
      dropped.read.drop(dropped.target::give);
    }
  }
}
