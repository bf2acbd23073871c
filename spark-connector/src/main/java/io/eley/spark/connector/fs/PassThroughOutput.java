package io.eley.spark.connector.fs;

import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.AbortableOutput;
import io.eley.bb.api.origin.DurableOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.jspecify.annotations.Nullable;

/**
 * A stream to the origin. What is written is origin traffic like what is read: it waits for leave,
 * a piece at a time, and is reported. When it is closed, the coordinator is notified that the file
 * has changed.
 *
 * <p>Up to 1 MiB is held back, because a text writer writes each line by itself and each write of
 * an origin is a call of its file system. {@link #flush} and {@link #hflush} hand all of it to the
 * origin's stream, where other readers of the origin see it, unless it is an object store's, which
 * shows an object when it is closed; {@link #hsync} puts it on stable storage, or fails on an
 * origin that cannot be told to. {@link #hasCapability} says which origin this is.
 *
 * <p>After an error nothing more is written, since how much of a piece the origin has taken is
 * unknown: every further call fails, {@link #close} too, so that nobody takes the file for whole;
 * and where closing would make an object of it, none is made.
 *
 * <p>Safe for several threads, as HDFS's streams are: logs are flushed by a thread of their own.
 * All methods may block, for leave and for the origin.
 */
final class PassThroughOutput extends OutputStream
    implements Syncable, StreamCapabilities, IOStatisticsSource {
  private static final int PIECE = 1 << 20;
  private static final int FIRST_BUFFER = 8 << 10;

  private final SharedClients.Lease lease;
  private final EleyClient client;
  private final String file;
  private final OutputStream out;
  private final IoCounts.OfStream counts;
  private byte[] buffer = new byte[0];
  private int held;
  private @Nullable Exception failure;
  private boolean closed;
  private boolean whole;

  /**
   * A stream to a file that was opened.
   *
   * @param lease of its client; the stream's own, and closed with it
   */
  PassThroughOutput(
      SharedClients.Lease lease, String file, OutputStream bytes, IoCounts.OfStream counts) {
    this.lease = lease;
    client = lease.client();
    this.file = file;
    out = bytes;
    this.counts = counts;
    client.forget(file);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, bytes.length);
    requireOpen();
    for (int done = 0; done < count; ) {
      int piece;
      if (held == 0 && count - done >= PIECE) {
        piece = PIECE;
        pass(bytes, offset + done, piece);
      } else {
        piece = hold(bytes, offset + done, count - done);
      }
      done += piece;
    }
    counts.add(count);
  }

  @Override
  public synchronized void write(int one) throws IOException {
    requireOpen();
    makeRoom(1);
    buffer[held++] = (byte) one;
    drainWhenFull();
    counts.add(1);
  }

  /** Hands all bytes to the origin's stream; nothing on a closed one. */
  @Override
  public synchronized void flush() throws IOException {
    if (!closed) {
      hflush();
    }
  }

  @Override
  public synchronized void hflush() throws IOException {
    requireOpen();
    drain();
    attempt(out::flush);
  }

  @Override
  public synchronized void hsync() throws IOException {
    hflush();
    if (!(out instanceof DurableOutput durable)) {
      throw new UnsupportedOperationException(
          "the origin cannot be told to put " + file + " on stable storage");
    }
    attempt(durable::force);
  }

  @Override
  public boolean hasCapability(String capability) {
    return switch (capability.toLowerCase(Locale.ROOT)) {
      case StreamCapabilities.IOSTATISTICS -> true;
      case "hflush", "hsync" -> out instanceof DurableOutput;
      default -> false;
    };
  }

  @Override
  public IOStatistics getIOStatistics() {
    return counts.getIOStatistics();
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (lease) {
      finish();
    }
  }

  private void finish() throws IOException {
    Closeable ending = this::end;
    try (ending) {
      requireWhole();
      drain();
      whole = true;
    } finally {
      buffer = new byte[0];
      client.forget(file);
    }
  }

  private void end() throws IOException {
    if (!whole && out instanceof AbortableOutput part) {
      part.abort();
    } else {
      out.close();
    }
  }

  /** Takes what fits into the buffer and says how many bytes that were. */
  private int hold(byte[] bytes, int offset, int count) throws IOException {
    int piece = Math.min(count, PIECE - held);
    makeRoom(piece);
    System.arraycopy(bytes, offset, buffer, held, piece);
    held += piece;
    drainWhenFull();
    return piece;
  }

  private void makeRoom(int more) {
    if (buffer.length < held + more) {
      int doubled = Math.max(FIRST_BUFFER, 2 * buffer.length);
      buffer = Arrays.copyOf(buffer, Math.min(PIECE, Math.max(doubled, held + more)));
    }
  }

  private void drainWhenFull() throws IOException {
    if (held == PIECE) {
      drain();
    }
  }

  private void drain() throws IOException {
    if (held > 0) {
      pass(buffer, 0, held);
      held = 0;
    }
  }

  private void pass(byte[] bytes, int offset, int count) throws IOException {
    attempt(() -> client.awaitWrite(count));
    long begun = System.nanoTime();
    attempt(() -> out.write(bytes, offset, count));
    client.countWritten(count, begun);
  }

  /** A call of the origin. */
  private interface Step {
    void run() throws IOException;
  }

  private void attempt(Step step) throws IOException {
    try {
      step.run();
    } catch (EleyException e) {
      failure = e;
      throw Errors.hadoop(e);
    } catch (IOException | RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("stream is closed: " + file);
    }
    requireWhole();
  }

  private void requireWhole() throws IOException {
    if (failure != null) {
      throw Errors.again(file + " is incomplete: writing it has failed before", failure);
    }
  }
}
