package io.eley.bb.api.wire;

import java.nio.ByteBuffer;

/**
 * Seals the frames of one direction, in the order in which they will leave. How they look is in
 * {@code docs/wire.md}. Not safe for several threads.
 */
public final class FrameSealer {
  /** Bytes of payload in a record: large enough to be fast, small enough to hold one in memory. */
  public static final int PIECE = 64 << 10;

  /** What a record's tag adds. */
  public static final int TAG_BYTES = RecordCipher.TAG_BYTES;

  /** Marks a sealed frame; in a frame in the clear a length never has this bit. */
  static final int SEALED = 0x8000_0000;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Protection protection;
  private final RecordCipher cipher;
  private long next;

  FrameSealer(Protection protection, RecordCipher cipher) {
    this.protection = protection;
    this.cipher = cipher;
  }

  public Protection protection() {
    return protection;
  }

  /**
   * Seals header and body of a frame.
   *
   * @param frame as {@link Codec#encode} made it; consumed
   */
  public ByteBuffer seal(ByteBuffer frame) {
    var sealed = ByteBuffer.allocate(Integer.BYTES + frame.remaining() + TAG_BYTES);
    sealed.putInt(SEALED | frame.remaining());
    if (protection.encrypts()) {
      cipher.seal(next++, sealed.duplicate().flip(), frame, sealed);
    } else {
      sealed.put(frame);
      cipher.seal(next++, sealed.duplicate().flip(), NOTHING.duplicate(), sealed);
    }
    return sealed.flip();
  }

  /**
   * Takes the numbers of a payload's records, so that they can be sealed while they are sent and
   * later frames be sealed before that.
   *
   * @param length of the payload, positive
   */
  public Payload payload(int length) {
    long first = next;
    next += records(length);
    return new Payload(first, length);
  }

  private static int records(int length) {
    return (length + PIECE - 1) / PIECE;
  }

  /** A payload that is sealed piece by piece, on the thread of the sealer. */
  public final class Payload {
    private final int length;
    private long number;
    private int sealed;

    private Payload(long first, int length) {
      this.number = first;
      this.length = length;
    }

    /** Bytes that will leave. */
    public long sealedLength() {
      return length + (long) records(length) * TAG_BYTES;
    }

    /** Length of the next piece, zero after the last one. */
    public int nextLength() {
      return Math.min(PIECE, length - sealed);
    }

    /**
     * Seals the next piece.
     *
     * @param piece {@link #nextLength} bytes; consumed
     * @param out gets {@link #TAG_BYTES} more than that
     */
    public void seal(ByteBuffer piece, ByteBuffer out) {
      if (piece.remaining() != nextLength() || !piece.hasRemaining()) {
        throw new IllegalArgumentException(
            "a piece of " + piece.remaining() + " bytes where " + nextLength() + " belong");
      }
      sealed += piece.remaining();
      if (protection.encrypts()) {
        cipher.seal(number++, NOTHING.duplicate(), piece, out);
      } else {
        out.put(piece.duplicate());
        cipher.seal(number++, piece, NOTHING.duplicate(), out);
      }
    }
  }
}
