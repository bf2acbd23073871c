package io.eley.cli;

import io.eley.bb.api.edge.PlainText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/**
 * What a terminal gets from us: line feeds and tabs, and otherwise plain text only, whatever a
 * file, a job or a coordinator is called. Safe for several threads like the writer below it.
 */
final class PlainWriter extends FilterWriter {
  private final PrintStream stream;

  private PlainWriter(PrintStream stream) {
    super(new OutputStreamWriter(stream, Charset.defaultCharset()));
    this.stream = stream;
  }

  /**
   * A printer on a stream that prints plain text only, and flushes at each line's end. Its {@link
   * PrintWriter#checkError} says whether the stream takes no more.
   */
  static PrintWriter on(PrintStream out) {
    return new PrintWriter(new PlainWriter(out), true);
  }

  /** Fails where the stream has failed, which would keep that to itself. */
  @Override
  public void flush() throws IOException {
    out.flush();
    if (stream.checkError()) {
      throw new IOException("it cannot be written");
    }
  }

  @Override
  public void write(int c) throws IOException {
    write(Character.toString(c), 0, 1);
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    write(new String(text, offset, length), 0, length);
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    out.write(PlainText.escapeLines(text.substring(offset, offset + length)));
  }
}
