package io.eley.bb.api.wire;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;

/**
 * Opens the frames of one direction, in their order: what a {@link FrameSealer} has sealed and
 * nobody has touched since. An error is the end of the connection. Not safe for several threads.
 */
public final class FrameOpener {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Protection protection;
  private final RecordCipher cipher;
  private long next;

  FrameOpener(Protection protection, RecordCipher cipher) {
    this.protection = protection;
    this.cipher = cipher;
  }

  public Protection protection() {
    return protection;
  }

  /** Whether a frame that begins so is sealed. */
  public static boolean sealed(int prefix) {
    return prefix < 0;
  }

  /**
   * Bytes that follow the four of the prefix, checked before any of them is waited for.
   *
   * @throws EleyException {@code MALFORMED} when the frame is too small or too large, {@code
   *     UNAUTHENTICATED} when it is not sealed
   */
  public static int lengthBehind(int prefix) throws EleyException {
    int length = prefix & ~FrameSealer.SEALED;
    if (!sealed(prefix)) {
      throw new EleyException(ErrorCode.UNAUTHENTICATED, "a frame without protection");
    }
    if (length < FrameHeader.BYTES) {
      throw malformed("of " + length + " bytes has no room for a header");
    }
    if (length - FrameHeader.BYTES > FrameHeader.MAX_BODY) {
      throw malformed(
          "body of "
              + (length - FrameHeader.BYTES)
              + " bytes exceeds the limit of "
              + FrameHeader.MAX_BODY);
    }
    return length + FrameSealer.TAG_BYTES;
  }

  /**
   * Opens header and body.
   *
   * @param sealed prefix, frame and tag, exactly; consumed
   * @return header and body; may be a view of {@code sealed}
   * @throws EleyException {@code UNAUTHENTICATED}
   */
  public ByteBuffer open(ByteBuffer sealed) throws EleyException {
    int length = sealed.remaining() - Integer.BYTES - FrameSealer.TAG_BYTES;
    if (protection.encrypts()) {
      var frame = ByteBuffer.allocate(length);
      ByteBuffer prefix = sealed.slice(sealed.position(), Integer.BYTES);
      cipher.open(next++, prefix, sealed.position(sealed.position() + Integer.BYTES), frame);
      return frame.flip();
    }
    ByteBuffer frame = sealed.slice(sealed.position() + Integer.BYTES, length);
    ByteBuffer clear = sealed.slice(sealed.position(), Integer.BYTES + length);
    sealed.position(sealed.position() + clear.remaining());
    cipher.open(next++, clear, sealed, NOTHING.duplicate());
    return frame;
  }

  /**
   * The header of an opened frame, whose body must be what is left.
   *
   * @param frame from {@link #open}; afterwards at its body
   * @throws EleyException {@code MALFORMED}
   */
  public static FrameHeader header(ByteBuffer frame) throws EleyException {
    var header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
    if (header.bodyLength() != frame.remaining()) {
      throw malformed(
          "body of " + header.bodyLength() + " bytes in a frame with " + frame.remaining());
    }
    return header;
  }

  /**
   * Opens an encrypted piece of a payload.
   *
   * @param sealed the piece and its tag; consumed
   * @param target gets the piece; what is in it after an error has no meaning
   * @throws EleyException {@code UNAUTHENTICATED}
   */
  public void openPiece(ByteBuffer sealed, ByteBuffer target) throws EleyException {
    cipher.open(next++, NOTHING.duplicate(), sealed, target);
  }

  /**
   * Checks a legible piece of a payload.
   *
   * @param piece consumed
   * @param tag consumed
   * @throws EleyException {@code UNAUTHENTICATED}
   */
  public void checkPiece(ByteBuffer piece, ByteBuffer tag) throws EleyException {
    cipher.open(next++, piece, tag, NOTHING.duplicate());
  }

  private static EleyException malformed(String what) {
    return new EleyException(ErrorCode.MALFORMED, "malformed frame: " + what);
  }
}
