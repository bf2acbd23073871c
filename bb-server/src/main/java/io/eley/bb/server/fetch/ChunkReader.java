package io.eley.bb.server.fetch;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedFile;
import io.eley.bb.api.origin.OriginFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reads chunks from the origin and counts the bytes by cause. One per node; the counters are safe
 * for several threads, a {@link Buffer} belongs to one fetcher thread.
 */
final class ChunkReader {
  private final FetchListener listener;
  private final LoadMeter load = new LoadMeter();
  private final Map<ReadCause, LongAdder> bytes = new EnumMap<>(ReadCause.class);

  /**
   * A reader that has read nothing.
   *
   * @param listener is told how long each chunk took
   */
  ChunkReader(FetchListener listener) {
    this.listener = listener;
    for (var cause : ReadCause.values()) {
      bytes.put(cause, new LongAdder());
    }
  }

  /**
   * The direct buffer of one fetcher thread. A buffer that is given to a call which then fails is
   * forgotten: the call may hang, and write to it when the server comes back.
   */
  static final class Buffer {
    private final int capacity;
    private @Nullable ByteBuffer idle;

    Buffer(int capacity) {
      this.capacity = capacity;
    }

    /** The buffer, for so many bytes; {@link #give} it back when the call has not failed. */
    ByteBuffer take(int length) {
      ByteBuffer taken = idle != null ? idle : ByteBuffer.allocateDirect(capacity);
      idle = null;
      return taken.clear().limit(length);
    }

    /** Takes the buffer back when the caller is done with the chunk that was read into it. */
    void give(ByteBuffer used) {
      idle = used;
    }
  }

  /** What is read from. */
  interface Source {
    /** As {@link GuardedFile#read}. */
    int read(long position, ByteBuffer target, ReadCause cause) throws EleyException;
  }

  /** Where a chunk is on the origin. */
  record Place(BlockId block, long position, int length) {}

  /**
   * Reads a whole chunk, or some runs of the file at once, which count as one.
   *
   * @param places several only of a file that {@link GuardedFile#readsAtOnce}
   * @param target all bytes in the order of the places, nothing more
   * @throws EleyException {@code STALE_VERSION} when the file ends before the chunk does, and what
   *     {@link GuardedFile#read} throws
   */
  void read(GuardedFile file, List<Place> places, ReadCause cause, ByteBuffer target)
      throws EleyException {
    if (places.size() == 1) {
      read(file::read, places.get(0), cause, target);
      return;
    }
    int length = target.remaining();
    var runs = new ArrayList<OriginFile.Run>();
    int at = target.position();
    for (Place place : places) {
      runs.add(new OriginFile.Run(place.position, target.slice(at, place.length)));
      at += place.length;
    }
    timed(
        length,
        () -> {
          file.read(runs, cause);
          adder(cause).add(length);
        });
    target.position(at);
  }

  /**
   * Reads a whole chunk into a buffer, all that remains of it; as many reads as it takes.
   *
   * @throws EleyException as {@link #read(GuardedFile, List, ReadCause, ByteBuffer)}
   */
  void read(Source file, Place place, ReadCause cause, ByteBuffer target) throws EleyException {
    timed(place.length, () -> readWhole(file, place, cause, target));
  }

  private interface Reading {
    void run() throws EleyException;
  }

  private void timed(int length, Reading reading) throws EleyException {
    LoadMeter.Begin begin = load.begin(length, System.nanoTime());
    boolean whole = false;
    try {
      reading.run();
      whole = true;
    } finally {
      long now = System.nanoTime();
      double underWay = load.end(begin, now);
      if (whole) {
        listener.chunkRead(now, now - begin.at(), length, underWay);
      }
    }
  }

  private void readWhole(Source file, Place place, ReadCause cause, ByteBuffer target)
      throws EleyException {
    while (target.hasRemaining()) {
      long position = place.position + place.length - target.remaining();
      int read = file.read(position, target, cause);
      if (read < 1) {
        throw new EleyException(
            ErrorCode.STALE_VERSION,
            place.block.file().path() + " has become shorter on the origin: " + place.block);
      }
      adder(cause).add(read);
    }
  }

  /** The reads that are under way, and how long they have taken by now. */
  List<ReadTime> underWay() {
    return load.underWay(System.nanoTime());
  }

  /** Bytes read so far, by cause; causes without any are left out. */
  Map<ReadCause, Long> bytesByCause() {
    var sums = new EnumMap<ReadCause, Long>(ReadCause.class);
    bytes.forEach(
        (cause, adder) -> {
          if (adder.sum() > 0) {
            sums.put(cause, adder.sum());
          }
        });
    return sums;
  }

  private LongAdder adder(ReadCause cause) {
    return java.util.Objects.requireNonNull(bytes.get(cause));
  }
}
