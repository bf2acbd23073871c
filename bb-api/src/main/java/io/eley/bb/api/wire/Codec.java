package io.eley.bb.api.wire;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Messages to frames and back. Pure and thread-safe. */
public final class Codec {
  private Codec() {}

  /** A complete frame without a payload: header and body. */
  public static ByteBuffer encode(Message message, long correlation) {
    return encode(message, correlation, 0);
  }

  /**
   * Header and body of a frame whose payload the caller sends after them.
   *
   * @param payloadLength bytes, zero unless the message is {@link BlockMessage.BlockData}
   * @throws IllegalArgumentException when the message is larger than {@link FrameHeader#MAX_BODY};
   *     whoever builds long lists cuts them before
   */
  public static ByteBuffer encode(Message message, long correlation, int payloadLength) {
    var body = new WireWriter();
    message.write(body);
    ByteBuffer written = body.written();
    if (written.remaining() > FrameHeader.MAX_BODY) {
      throw new IllegalArgumentException(
          message.type() + " of " + written.remaining() + " bytes is larger than a frame may be");
    }
    var frame = ByteBuffer.allocate(FrameHeader.BYTES + written.remaining());
    new FrameHeader(written.remaining(), payloadLength, message.type().number(), correlation)
        .encode(frame);
    return frame.put(written).flip();
  }

  /**
   * The message of a body.
   *
   * @param body exactly {@link FrameHeader#bodyLength()} bytes; consumed
   * @throws EleyException {@code MALFORMED}, whatever the bytes were
   */
  public static Message decode(FrameHeader header, ByteBuffer body) throws EleyException {
    try {
      var in = new WireReader(body);
      Message message = MessageType.ofNumber(header.type()).read(in);
      in.requireEnd();
      return message;
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new EleyException(
          ErrorCode.MALFORMED,
          "malformed message of type " + header.type() + ": " + e.getMessage(),
          e);
    }
  }
}
