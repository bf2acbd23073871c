package io.eley.origin.hadoop;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginStatus;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;

/**
 * An open file. Hadoop's streams serve one read at a time, so there are as many as there have been
 * reads at once. Each read is one request of the bytes that are asked for and no others; several
 * runs are read at once where the stream can.
 */
final class HadoopFile implements OriginFile {
  private final Opener opener;
  private final FileStatus found;
  private final OriginStatus status;
  private final boolean vectored;
  // Guarded by this.
  private final Deque<FSDataInputStream> idle = new ArrayDeque<>();
  private boolean closed;

  /** What an open file needs of its origin. */
  interface Opener {
    /** Another stream of the version that was found. */
    FSDataInputStream stream(FileStatus found) throws IOException;

    /** The status now; empty when each read makes sure of the version. */
    Optional<OriginStatus> current() throws IOException;

    /** Called after each read. */
    void wasRead();
  }

  /**
   * A file whose first stream is open.
   *
   * @param found what the file system says of it
   * @param status the same in our words
   */
  HadoopFile(Opener opener, FileStatus found, OriginStatus status, FSDataInputStream first) {
    this.opener = opener;
    this.found = found;
    this.status = status;
    vectored = readsVectored(first.getWrappedStream().getClass());
    idle.add(first);
  }

  @Override
  public OriginStatus status() {
    return status;
  }

  @Override
  public OriginStatus currentStatus() throws EleyException {
    return Calls.get("stat " + status.path(), () -> opener.current().orElse(status));
  }

  @Override
  public int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
    int length = (int) Math.min(target.remaining(), status.length() - position);
    if (length <= 0) {
      return target.hasRemaining() ? -1 : 0;
    }
    byte[] bytes = new byte[length];
    read(stream -> stream.readFully(position, bytes, 0, length));
    target.put(bytes);
    return length;
  }

  @Override
  public Optional<AtOnce> atOnce() {
    return vectored
        ? Optional.of((runs, cause) -> read(stream -> RunsAtOnce.fill(stream, runs)))
        : Optional.empty();
  }

  /**
   * Whether streams have vectored reads of their own: Hadoop before 3.3.5 has none, those that a
   * stream inherits read one range after the other, and S3A's do not tell by {@code hasCapability}.
   */
  private static boolean readsVectored(Class<?> stream) {
    try {
      Method method = stream.getMethod("readVectored", List.class, IntFunction.class);
      return !method.getDeclaringClass().isInterface();
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private interface Reading {
    void from(FSDataInputStream stream) throws IOException;
  }

  private void read(Reading reading) throws EleyException {
    Calls.run("read " + status.path(), () -> readFrom(reading));
    opener.wasRead();
  }

  /** A stream that has failed is not used again. */
  private void readFrom(Reading reading) throws IOException {
    FSDataInputStream stream = take();
    try {
      reading.from(stream);
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
    if (!give(stream)) {
      stream.close();
    }
  }

  private FSDataInputStream take() throws IOException {
    synchronized (this) {
      if (closed) {
        throw new IOException("closed");
      }
      FSDataInputStream known = idle.poll();
      if (known != null) {
        return known;
      }
    }
    return opener.stream(found);
  }

  private synchronized boolean give(FSDataInputStream stream) {
    if (!closed) {
      idle.push(stream);
    }
    return !closed;
  }

  @Override
  public void close() throws EleyException {
    Deque<FSDataInputStream> open;
    synchronized (this) {
      closed = true;
      open = new ArrayDeque<>(idle);
      idle.clear();
    }
    for (FSDataInputStream stream : open) {
      Calls.run("close " + status.path(), stream::close);
    }
  }
}
