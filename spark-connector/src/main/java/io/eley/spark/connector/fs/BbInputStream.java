package io.eley.spark.connector.fs;

import io.eley.bb.api.client.BbFile;
import io.eley.bb.api.error.EleyException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.jspecify.annotations.Nullable;

/**
 * A stream over one version of one file.
 *
 * <p>Sequential reads go through a buffer whose fill begins small after each seek and doubles up to
 * 1 MiB: a scan asks in large pieces, a reader of footers does not fetch what it skips. Large reads
 * and positioned reads bypass it. A reader that goes on and on in pieces of up to 1 MiB has the
 * next one on its way meanwhile. Statistics are incremented on the calling thread, once for each
 * byte returned, because Spark sums them by task.
 *
 * <p>Positioned reads are safe for several threads; the rest, as with every Hadoop stream, is not,
 * but for {@link #close}: Spark closes the streams of a task that has ended while a thread that
 * writes to a process (Python's, {@code pipe}'s) may still read from them.
 */
final class BbInputStream extends FSInputStream
    implements ByteBufferReadable,
        ByteBufferPositionedReadable,
        CanUnbuffer,
        StreamCapabilities,
        IOStatisticsSource {
  private static final int FIRST_FILL = 16 << 10;
  private static final int LARGEST_FILL = 1 << 20;
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  /** For all streams of a process; 16 MiB are kept for the next ones. */
  private static final FillBuffers FILLS = new FillBuffers(LARGEST_FILL, 16);

  private final BbFile file;
  private final long length;
  private final IoCounts.OfStream counts;
  private final ReadObserver observer;
  private final NextFill next;
  private final Runnable closed;
  private final OpenCalls calls = new OpenCalls(this::giveBack);
  private ByteBuffer buffer = NONE;

  /** The buffer, when it is to be given back. */
  private FillBuffers.@Nullable Lent lent;

  private int fill = FIRST_FILL;

  /** Bytes that were read without a jump before the read that is under way. */
  private long run;

  private long position;

  /**
   * At the beginning of the file.
   *
   * @param closed runs once, when the file is closed
   */
  BbInputStream(BbFile file, IoCounts.OfStream counts, Runnable closed) {
    this(file, counts, new NextFill(file::start, FILLS), closed);
  }

  /** For tests, which start what comes next themselves. */
  BbInputStream(BbFile file, IoCounts.OfStream counts, NextFill next, Runnable closed) {
    this.file = file;
    this.counts = counts;
    this.next = next;
    this.closed = closed;
    length = file.status().length();
    observer = ReadObserver.Registry.of(file.status().path());
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public void seek(long target) throws IOException {
    requireOpen();
    if (target < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + ": " + target);
    }
    if (target > length) {
      throw new EOFException(
          FSExceptionMessages.CANNOT_SEEK_PAST_EOF + ": " + target + " of " + length);
    }
    enter();
    try {
      long inBuffer = buffer.position() + (target - position);
      if (inBuffer >= 0 && inBuffer <= buffer.limit()) {
        buffer.position((int) inBuffer);
      } else {
        startOver();
      }
      position = target;
    } finally {
      calls.leave();
    }
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    java.util.Objects.checkFromIndexSize(offset, count, target.length);
    return read(ByteBuffer.wrap(target, offset, count));
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    enter();
    try {
      return target.hasRemaining() ? sequential(target) : 0;
    } finally {
      calls.leave();
    }
  }

  private int sequential(ByteBuffer target) throws IOException {
    takeNext();
    int count;
    if (buffer.hasRemaining() || target.remaining() < fill) {
      count = buffered(target);
    } else {
      // Who asks for much says how much: more would be read from the origin for nothing.
      // What is in the buffer lies before the position now, but not right before it any more: a
      // seek backwards must not find it.
      empty();
      int wanted = target.remaining();
      count = all(position, target);
      goOn(count, wanted);
      fill = Math.min(LARGEST_FILL, 2 * fill);
    }
    if (count > 0) {
      position += count;
      run += count;
      counts.add(count);
    }
    return count;
  }

  @Override
  public int read(long at, byte[] target, int offset, int count) throws IOException {
    requireOpen();
    validatePositionedReadArgs(at, target, offset, count);
    return count == 0 ? 0 : positioned(at, ByteBuffer.wrap(target, offset, count));
  }

  @Override
  public int read(long at, ByteBuffer target) throws IOException {
    requireOpen();
    if (at < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + ": " + at);
    }
    return target.hasRemaining() ? positioned(at, target) : 0;
  }

  @Override
  public void readFully(long at, byte[] target, int offset, int count) throws IOException {
    requireOpen();
    validatePositionedReadArgs(at, target, offset, count);
    readFully(at, ByteBuffer.wrap(target, offset, count));
  }

  @Override
  public void readFully(long at, ByteBuffer target) throws IOException {
    long next = at;
    while (target.hasRemaining()) {
      int count = read(next, target);
      if (count < 0) {
        throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY);
      }
      next += count;
    }
  }

  /**
   * Reads ranges at once. On Hadoop before 3.3.5, which has no {@code FileRange}, nobody calls
   * this.
   */
  @Override
  public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
      throws IOException {
    requireOpen();
    long bytes = VectoredRead.start(file, length, ranges, allocate, observer);
    ranges.forEach(range -> observer.reads(range.getOffset(), range.getLength()));
    counts.add(bytes);
  }

  @Override
  public int available() throws IOException {
    requireOpen();
    return (int) Math.min(Integer.MAX_VALUE, length - position);
  }

  @Override
  public void unbuffer() {
    if (calls.enter()) {
      startOver();
      calls.leave();
    }
  }

  @Override
  public boolean hasCapability(String capability) {
    return switch (capability.toLowerCase(Locale.ROOT)) {
      case "in:readbytebuffer", "in:preadbytebuffer", "in:unbuffer", "in:readvectored" -> true;
      case StreamCapabilities.IOSTATISTICS -> true;
      default -> false;
    };
  }

  @Override
  public IOStatistics getIOStatistics() {
    return counts.getIOStatistics();
  }

  @Override
  public void close() throws IOException {
    if (calls.close()) {
      try {
        file.close();
      } finally {
        closed.run();
      }
    }
  }

  private int buffered(ByteBuffer target) throws IOException {
    if (!buffer.hasRemaining() && !refill()) {
      return -1;
    }
    int count = Math.min(buffer.remaining(), target.remaining());
    target.put(buffer.slice(buffer.position(), count));
    buffer.position(buffer.position() + count);
    return count;
  }

  /** Takes over what is on its way, when the buffer is used up and it is what comes now. */
  private void takeNext() throws IOException {
    if (buffer.hasRemaining() || !next.isAt(position)) {
      return;
    }
    empty();
    long began = System.nanoTime();
    try {
      lent = next.take();
      buffer = lent.buffer();
      observer.waited(System.nanoTime() - began);
      observer.reads(position, buffer.remaining());
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
    goOn(buffer.remaining(), LARGEST_FILL);
  }

  /**
   * Asks for what follows, when the reader has come here without a jump for a while, and in pieces
   * that are small enough for a round trip each to be felt.
   *
   * @param count bytes that were read at the position
   * @param piece bytes that were asked for
   */
  private void goOn(int count, int piece) {
    long at = position + count;
    if (count > 0 && at < length && run >= LARGEST_FILL && piece <= LARGEST_FILL) {
      next.start(at);
    }
  }

  private void startOver() {
    giveBack();
    fill = FIRST_FILL;
    run = 0;
  }

  private void giveBack() {
    empty();
    next.drop();
  }

  private void empty() {
    FillBuffers.Lent given = lent;
    if (given != null) {
      lent = null;
      buffer = NONE;
      given.give();
    } else {
      buffer.position(0).limit(0);
    }
  }

  /**
   * Reads ahead from the position; false at the end of the file. A failure leaves the buffer empty.
   */
  private boolean refill() throws IOException {
    empty();
    ByteBuffer fresh = buffer.capacity() < fill ? ByteBuffer.allocate(fill) : buffer;
    buffer = NONE;
    fresh.clear().limit(Math.min(fill, fresh.capacity()));
    int count = straight(position, fresh);
    buffer = fresh.flip();
    goOn(count, fill);
    fill = Math.min(LARGEST_FILL, fill * 2);
    return count > 0;
  }

  /**
   * Reads on when a node has answered with less than was asked for: the caller would ask for the
   * rest, which is little, and little is read through the buffer, with much behind it.
   */
  private int all(long at, ByteBuffer target) throws IOException {
    int sum = straight(at, target);
    while (sum > 0 && target.hasRemaining() && at + sum < length) {
      sum += straight(at + sum, target);
    }
    return sum;
  }

  private int positioned(long at, ByteBuffer target) throws IOException {
    int count = straight(at, target);
    if (count > 0) {
      counts.add(count);
    }
    return count;
  }

  private int straight(long at, ByteBuffer target) throws IOException {
    long end = Math.min(length, at + target.remaining());
    if (at < end) {
      observer.reads(at, end - at);
    }
    long began = System.nanoTime();
    try {
      int count = file.read(at, target);
      observer.waited(System.nanoTime() - began);
      return count;
    } catch (EleyException e) {
      // After a failure the bytes in the target are undefined.
      throw Errors.hadoop(e);
    }
  }

  /** For a call that uses the buffer; it leaves in the end. */
  private void enter() throws IOException {
    if (!calls.enter()) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
  }

  private void requireOpen() throws IOException {
    if (calls.closed()) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
  }
}
