package io.eley.spark.connector.fs;

import io.eley.bb.api.client.EleyClient;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A stream to the origin. When it is closed, the coordinator is notified that the file has changed.
 * Not thread-safe.
 */
final class PassThroughOutput extends FilterOutputStream {
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
    out.write(bytes, offset, count);
  }

  @Override
  public void write(int one) throws IOException {
    requireOpen();
    out.write(one);
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
