package io.eley.bb.api.wire;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.PageSet;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads what {@link WireWriter} wrote, trusting nothing: a length is compared with the bytes left
 * before anything is allocated, text must be valid UTF-8, booleans 0 or 1. Throws {@link
 * IllegalArgumentException} or {@link BufferUnderflowException}; {@link Codec} turns both into
 * {@code MALFORMED}. Not safe for several threads.
 */
public final class WireReader {
  private final ByteBuffer in;

  public WireReader(ByteBuffer in) {
    this.in = in;
  }

  public int u8() {
    return Byte.toUnsignedInt(in.get());
  }

  public boolean bool() {
    int value = u8();
    if (value > 1) {
      throw new IllegalArgumentException("not a boolean: " + value);
    }
    return value == 1;
  }

  public int i32() {
    return in.getInt();
  }

  public long i64() {
    return in.getLong();
  }

  public double f64() {
    return Double.longBitsToDouble(i64());
  }

  public byte[] blob(int max) {
    return take(max);
  }

  public String text(int maxBytes) {
    try {
      CharBuffer chars =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(take(maxBytes)));
      return chars.toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("text is not UTF-8", e);
    }
  }

  /** A short text: a name, an address, one line of an error. */
  public String text() {
    return text(4096);
  }

  /** A path: up to {@link OriginPaths#MAX_LENGTH} characters of up to three bytes. */
  public String path() {
    return text(3 * OriginPaths.MAX_LENGTH);
  }

  /** A list; its count must not exceed the bytes left, since an element takes at least one. */
  public <T> List<T> list(Function<WireReader, T> element) {
    int count = in.getInt();
    if (count < 0 || count > in.remaining()) {
      throw new IllegalArgumentException(
          "list of " + count + " elements in " + in.remaining() + " bytes");
    }
    var items = new ArrayList<T>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      items.add(element.apply(this));
    }
    return items;
  }

  /** A constant by its name. */
  public <E extends Enum<E>> E constant(Class<E> type) {
    return Enum.valueOf(type, text(64));
  }

  public FileVersion version() {
    return new FileVersion(path(), i64(), i64(), stamp());
  }

  public FileVersion.Stamp stamp() {
    return new FileVersion.Stamp(i64(), i64());
  }

  public BlockId block() {
    return new BlockId(version(), i32());
  }

  public BlockPart part() {
    return new BlockPart(block(), pages());
  }

  private PageSet pages() {
    int count = in.getInt();
    if (count < 0 || count > PageSet.MOST / Long.SIZE || count > in.remaining() / Long.BYTES) {
      throw new IllegalArgumentException(count + " words of pages in " + in.remaining() + " bytes");
    }
    long[] words = new long[count];
    for (int i = 0; i < count; i++) {
      words[i] = in.getLong();
    }
    return PageSet.ofWords(words);
  }

  /** Throws unless everything was read. */
  void requireEnd() {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException(in.remaining() + " bytes too many");
    }
  }

  private byte[] take(int max) {
    int length = in.getInt();
    if (length < 0 || length > max || length > in.remaining()) {
      throw new IllegalArgumentException(
          "length " + length + " with a limit of " + Math.min(max, in.remaining()));
    }
    byte[] value = new byte[length];
    in.get(value);
    return value;
  }
}
