package io.eley.ior;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads IOR's output, ours and the real one's, in all its formats; the text itself tells which it
 * is.
 */
public final class IorOutputParser {
  private IorOutputParser() {}

  /** Reads a file. */
  public static IorResult parse(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  /**
   * Reads an output.
   *
   * @throws IOException when it is none of IOR's formats, or is cut off
   */
  public static IorResult parse(String output) throws IOException {
    String text = output.stripLeading();
    if (CsvInput.recognises(text)) {
      return CsvInput.read(text);
    }
    int json = text.startsWith("{") ? 0 : text.indexOf("\n{");
    if (json >= 0 && text.contains("\"Command line\"")) {
      return JsonInput.read(text.substring(json));
    }
    if (TextInput.recognises(text)) {
      return TextInput.read(text);
    }
    throw new IOException("this is not an output of IOR (text, JSON or CSV)");
  }
}
