package io.eley.spark.connector.fs;

import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A stream to the origin. What is written is origin traffic like what is read: it waits for leave,
 * a piece at a time, and is reported. When it is closed, the coordinator is notified that the file
 * has changed. Not thread-safe.
 */
final class PassThroughOutput extends FilterOutputStream {
  private static final int PIECE = 1 << 20;

  private final EleyClient client;
  private final String file;
  private boolean closed;

  PassThroughOutput(EleyClient client, String file, OutputStream bytes) {
    super(bytes);
    this.client = client;
    this.file = file;
    client.forget(file);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    requireOpen();
    for (int done = 0; done < count; ) {
      int piece = Math.min(PIECE, count - done);
      awaitPass(piece);
      out.write(bytes, offset + done, piece);
      client.countPassed(piece);
      done += piece;
    }
  }

  @Override
  public void write(int one) throws IOException {
    requireOpen();
    awaitPass(1);
    out.write(one);
    client.countPassed(1);
  }

  private void awaitPass(int count) throws IOException {
    try {
      client.awaitPass(count);
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      super.close();
    } finally {
      client.forget(file);
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("stream is closed: " + file);
    }
  }
}
