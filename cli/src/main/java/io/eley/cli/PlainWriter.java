package io.eley.cli;

import io.eley.bb.api.edge.PlainText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;

/**
 * What a terminal gets from us: line feeds and tabs, and otherwise plain text only, whatever a
 * file, a job or a coordinator is called. Safe for several threads like the writer below it.
 */
final class PlainWriter extends FilterWriter {
  private PlainWriter(Writer out) {
    super(out);
  }

  /** A printer on a stream that prints plain text only, and flushes at each line's end. */
  static PrintWriter on(OutputStream out) {
    return new PrintWriter(
        new PlainWriter(new OutputStreamWriter(out, Charset.defaultCharset())), true);
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
