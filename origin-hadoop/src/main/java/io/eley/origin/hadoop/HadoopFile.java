package io.eley.origin.hadoop;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;

/**
 * An open file. Hadoop's streams serve one read at a time, so there are as many as there have been
 * reads at once. Each read is one request of the bytes that are asked for and no others.
 */
final class HadoopFile implements OriginFile {
  private final Opener opener;
  private final FileStatus found;
  private final OriginStatus status;
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
    Calls.run("read " + status.path(), () -> read(position, bytes));
    opener.wasRead();
    target.put(bytes);
    return length;
  }

  /** A stream that has failed is not used again. */
  private void read(long position, byte[] bytes) throws IOException {
    FSDataInputStream stream = take();
    try {
      stream.readFully(position, bytes, 0, bytes.length);
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
