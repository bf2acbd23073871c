package io.eley.cli;

import java.io.IOException;
import java.io.Writer;

/** What is left to write to when whoever read has gone. */
final class ClosedPipe extends Writer {
  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    throw new IOException("Broken pipe");
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
