package io.eley.spark.connector.fs;

import io.eley.bb.api.client.StartedRead;
import io.eley.bb.api.error.EleyException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a stream will read next, on its way while the stream's reader works on what it has. A scan
 * over a connection then waits for the network, or for the node, instead of for both and its own
 * work in turn. There is one at most. For one thread.
 */
final class NextFill {
  /** Where reads are started. */
  interface Source {
    /** As {@link io.eley.bb.api.client.BbFile#start}. */
    StartedRead start(long position, ByteBuffer target) throws EleyException;
  }

  private final Source source;
  private final FillBuffers buffers;
  private @Nullable StartedRead read;
  private @Nullable ByteBuffer target;
  private long position;

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
    ByteBuffer fresh;
    try {
      fresh = buffers.take();
    } catch (OutOfMemoryError e) {
      return; // the stream asks when it needs it
    }
    try {
      StartedRead started = source.start(at, fresh);
      if (started.underWay()) {
        read = started;
        target = fresh;
        position = at;
        return;
      }
    } catch (EleyException e) {
      // The read that needs the bytes meets the same, and says so.
    }
    buffers.give(fresh);
  }

  /** Whether what is at this position was asked for. */
  boolean isAt(long at) {
    return read != null && position == at;
  }

  /**
   * Waits for what was asked for.
   *
   * @return ready to be read, to be given back to the buffers; empty at the file's end
   */
  ByteBuffer take() throws EleyException {
    StartedRead taken = java.util.Objects.requireNonNull(read);
    ByteBuffer filled = java.util.Objects.requireNonNull(target);
    read = null;
    target = null;
    try {
      int unused = taken.await();
      return filled.flip();
    } catch (EleyException e) {
      buffers.give(filled);
      throw e;
    }
  }

  /** Gives up what was asked for, if anything; does not wait. */
  void drop() {
    StartedRead dropped = read;
    ByteBuffer filling = target;
    read = null;
    target = null;
    if (dropped != null && filling != null) {
      dropped.drop(() -> buffers.give(filling));
    }
  }
}
