package io.eley.bb.api.origin;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Names of files as Unicode text, whatever bytes they are and whatever the locale of this process
 * is. On Linux a name is any bytes but NUL and slash. The JDK turns text into a name by the locale
 * (under {@code LC_ALL=C} it refuses all but ASCII, and no option changes that), but paths that
 * come from a directory or from a {@code file:} URI keep their bytes; so names go through URIs
 * here.
 *
 * <p>A name that is UTF-8 is that text. A byte <i>b</i> that is no part of UTF-8 is the character
 * U+F700 + <i>b</i>, from U+F780 to U+F7FF of the private use area; the bytes of those characters
 * themselves are written the same way. So every name has one text and every text one name.
 *
 * <p>Pure, but that the JDK may call stat(2) for the URI of a path.
 */
final class FileNames {
  private static final int ESCAPE = 0xf700;
  private static final char FIRST_ESCAPED = 0xf780;
  private static final char LAST_ESCAPED = 0xf7ff;

  private FileNames() {}

  /**
   * The file of an absolute path in our text below a directory.
   *
   * @param text begins with a slash
   * @throws IllegalArgumentException when it is no name in any locale
   */
  static Path resolve(Path directory, String text) {
    String relative = text.substring(1);
    if (plain(relative)) {
      return directory.resolve(relative);
    }
    String base = directory.toUri().getRawPath();
    String slash = base.endsWith("/") ? "" : "/";
    return Path.of(URI.create("file://" + base + slash + percent(bytes(relative))));
  }

  /** The text of a path's last name. */
  static String name(Path path) {
    Path last = path.getFileName();
    String usual = last == null ? "" : last.toString();
    if (plain(usual)) {
      return usual;
    }
    String all = text(path);
    return all.substring(all.lastIndexOf('/') + 1);
  }

  /** The text of an absolute path. */
  static String text(Path path) {
    String usual = path.toString();
    if (plain(usual)) {
      return usual;
    }
    String raw = path.toUri().getRawPath();
    return text(unpercent(raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw));
  }

  private static boolean plain(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }

  private static byte[] bytes(String text) {
    var out = new ByteArrayOutputStream();
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || escaped(text.charAt(i))) {
        out.writeBytes(utf8(text.substring(from, i)));
        from = i + 1;
        if (i < text.length()) {
          out.write(text.charAt(i) - ESCAPE);
        }
      }
    }
    return out.toByteArray();
  }

  private static byte[] utf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("half a character in " + text, e);
    }
  }

  private static String text(byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    var in = ByteBuffer.wrap(bytes);
    var text = new StringBuilder();
    CoderResult result;
    do {
      var out = CharBuffer.allocate(bytes.length);
      result = decoder.reset().decode(in, out, true);
      appendEscapingEscapes(out.flip(), text);
      for (int i = 0; result.isError() && i < result.length(); i++) {
        text.append(escape(in.get()));
      }
    } while (result.isError());
    return text.toString();
  }

  private static void appendEscapingEscapes(CharBuffer decoded, StringBuilder text) {
    while (decoded.hasRemaining()) {
      char c = decoded.get();
      if (escaped(c)) {
        for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
          text.append(escape(b));
        }
      } else {
        text.append(c);
      }
    }
  }

  private static char escape(byte b) {
    return (char) (ESCAPE + Byte.toUnsignedInt(b));
  }

  private static boolean escaped(char c) {
    return c >= FIRST_ESCAPED && c <= LAST_ESCAPED;
  }

  private static String percent(byte[] bytes) {
    var out = new StringBuilder();
    for (byte b : bytes) {
      int value = Byte.toUnsignedInt(b);
      if (value == '/' || (value < 0x80 && Character.isLetterOrDigit(value))) {
        out.append((char) value);
      } else {
        out.append(String.format("%%%02X", value));
      }
    }
    return out.toString();
  }

  private static byte[] unpercent(String raw) {
    var out = new ByteArrayOutputStream();
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        out.write(Integer.parseInt(raw.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        out.write(c);
      }
    }
    return out.toByteArray();
  }
}
