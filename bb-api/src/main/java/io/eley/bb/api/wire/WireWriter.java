package io.eley.bb.api.wire;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;

/**
 * A growing big-endian buffer that messages write themselves into. Not safe for several threads.
 */
public final class WireWriter {
  private byte[] bytes = new byte[256];
  private int size;

  public WireWriter u8(int value) {
    ensureRoom(1);
    bytes[size++] = (byte) value;
    return this;
  }

  public WireWriter bool(boolean value) {
    return u8(value ? 1 : 0);
  }

  public WireWriter i32(int value) {
    ensureRoom(4);
    ByteBuffer.wrap(bytes).putInt(size, value);
    size += 4;
    return this;
  }

  public WireWriter i64(long value) {
    ensureRoom(8);
    ByteBuffer.wrap(bytes).putLong(size, value);
    size += 8;
    return this;
  }

  /** As its bits, IEEE 754. */
  public WireWriter f64(double value) {
    return i64(Double.doubleToRawLongBits(value));
  }

  public WireWriter blob(byte[] value) {
    i32(value.length);
    ensureRoom(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  public WireWriter text(String value) {
    return blob(value.getBytes(StandardCharsets.UTF_8));
  }

  /** A constant by its name: numbers of constants change when somebody sorts them. */
  public WireWriter constant(Enum<?> value) {
    return text(value.name());
  }

  public <T> WireWriter list(Collection<T> items, BiConsumer<WireWriter, T> element) {
    i32(items.size());
    items.forEach(item -> element.accept(this, item));
    return this;
  }

  public WireWriter version(FileVersion file) {
    return text(file.path()).i64(file.length()).i64(file.modifiedMillis()).stamp(file.stamp());
  }

  public WireWriter stamp(FileVersion.Stamp stamp) {
    return i64(stamp.inode()).i64(stamp.changedNanos());
  }

  public WireWriter block(BlockId block) {
    return version(block.file()).i32(block.index());
  }

  /** A block, and its pages as words of bits; no words are all pages. */
  public WireWriter part(BlockPart part) {
    long[] words = part.pages().words();
    block(part.block()).i32(words.length);
    for (long word : words) {
      i64(word);
    }
    return this;
  }

  /** What was written so far; a view, not a copy. */
  public ByteBuffer written() {
    return ByteBuffer.wrap(bytes, 0, size).slice();
  }

  private void ensureRoom(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
