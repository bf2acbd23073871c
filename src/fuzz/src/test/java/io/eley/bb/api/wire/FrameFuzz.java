package io.eley.bb.api.wire;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.fuzz.Input;
import java.nio.ByteBuffer;

/**
 * Headers and messages, of both directions: anything is {@code MALFORMED} or a message that comes
 * back equal when it is written and read again.
 */
public final class FrameFuzz {
  private FrameFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws EleyException {
    int choice = Input.choice(input);
    ByteBuffer rest = ByteBuffer.wrap(Input.rest(input));
    try {
      // Below 128 the choice is the type, so that most inputs get past the header.
      FrameHeader header =
          choice < 128 || rest.remaining() < FrameHeader.BYTES
              ? new FrameHeader(rest.remaining(), 0, choice & 127, 1)
              : FrameHeader.decode(rest, FrameHeader.MAX_BODY);
      comesBack(Codec.decode(header, rest.slice()));
    } catch (EleyException e) {
      Input.require(e.code() == ErrorCode.MALFORMED, "an error that is not MALFORMED: " + e);
    }
  }

  private static void comesBack(Message message) throws EleyException {
    ByteBuffer frame = Codec.encode(message, 7);
    FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
    Message again = Codec.decode(header, frame);
    Input.require(again.equals(message), message + " came back as " + again);
  }
}
