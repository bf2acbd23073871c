package io.eley.bb.api.wire;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;

/**
 * The header of a frame.
 *
 * <pre>
 *  0      4             8          10        12             20
 *  | body | payload     | type     | zero    | correlation  |
 *  | u32  | u32 bytes   | u16      | u16     | u64          |
 * </pre>
 *
 * @param bodyLength bytes of the message after the header
 * @param payloadLength raw bytes after the body, zero for all but {@link BlockMessage.BlockData}
 *     and {@link ScratchMessage.WriteScratch}
 * @param type number of the message type, see {@link MessageType}
 * @param correlation chosen by the requester and repeated in every answer; {@link #PUSH} when
 *     nobody asked
 */
public record FrameHeader(int bodyLength, int payloadLength, int type, long correlation) {
  public static final int BYTES = 20;

  /** Correlation of a message that answers no request. */
  public static final long PUSH = 0;

  /** Largest body once the peer is authenticated. */
  public static final int MAX_BODY = 1 << 20;

  /** Largest body before authentication, so that a stranger cannot make us buffer more. */
  public static final int MAX_HANDSHAKE_BODY = 512;

  /** Largest payload: one block of the largest block size. */
  public static final int MAX_PAYLOAD = 1 << 30;

  public void encode(ByteBuffer out) {
    out.putInt(bodyLength)
        .putInt(payloadLength)
        .putShort((short) type)
        .putShort((short) 0)
        .putLong(correlation);
  }

  /**
   * Reads a header and checks it, before anything it announces is read or allocated.
   *
   * @param in at least {@link #BYTES} bytes
   * @param maxBody {@link #MAX_BODY} or {@link #MAX_HANDSHAKE_BODY}
   * @throws EleyException {@code MALFORMED}, naming the field and the limit
   */
  public static FrameHeader decode(ByteBuffer in, int maxBody) throws EleyException {
    int body = in.getInt();
    int payload = in.getInt();
    int type = Short.toUnsignedInt(in.getShort());
    int zero = in.getShort();
    long correlation = in.getLong();
    if (body < 0 || body > maxBody) {
      throw malformed(
          "body of " + Integer.toUnsignedString(body) + " bytes exceeds the limit of " + maxBody);
    }
    if (payload < 0 || payload > MAX_PAYLOAD) {
      throw malformed(
          "payload of "
              + Integer.toUnsignedString(payload)
              + " bytes exceeds the limit of "
              + MAX_PAYLOAD);
    }
    if (payload > 0
        && type != MessageType.BLOCK_DATA.number()
        && type != MessageType.WRITE_SCRATCH.number()) {
      throw malformed("a payload behind message type " + type);
    }
    if (zero != 0) {
      throw malformed("reserved field is " + zero);
    }
    return new FrameHeader(body, payload, type, correlation);
  }

  private static EleyException malformed(String what) {
    return new EleyException(ErrorCode.MALFORMED, "malformed frame: " + what);
  }
}
