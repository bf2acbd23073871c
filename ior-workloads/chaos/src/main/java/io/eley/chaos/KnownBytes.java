package io.eley.chaos;

import java.nio.ByteBuffer;

/**
 * The contents of a file that anybody can compute: each eight bytes are a hash of the file's
 * generation and their place (SplitMix64's finalizer, Steele et al., OOPSLA 2014), so that bytes of
 * another file, place or generation do not pass for these.
 *
 * @param seed of this generation of this file
 */
record KnownBytes(long seed) {
  private static final int WORD = Long.BYTES;

  private long word(long index) {
    long z = seed + (index + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private byte at(long position) {
    return (byte) (word(position / WORD) >>> (8 * (WORD - 1 - position % WORD)));
  }

  /** Fills the buffer with the bytes from a position on. */
  void fill(long position, ByteBuffer target) {
    long at = position;
    while (target.hasRemaining()) {
      if (at % WORD == 0 && target.remaining() >= WORD) {
        target.putLong(word(at / WORD));
        at += WORD;
      } else {
        target.put(at(at));
        at++;
      }
    }
  }

  /** Whether the buffer's remaining bytes are those from a position on; consumes nothing. */
  boolean matches(long position, ByteBuffer bytes) {
    var expected = ByteBuffer.allocate(bytes.remaining());
    fill(position, expected);
    return expected.flip().equals(bytes);
  }
}
