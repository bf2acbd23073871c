package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.fuzz.Input;
import java.nio.ByteBuffer;

/** The emulated PFS's messages: {@code MALFORMED}, or one that comes back equal. */
public final class PfsMessageFuzz {
  private PfsMessageFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws EleyException {
    PfsMessage message;
    try {
      message = PfsMessage.decode(ByteBuffer.wrap(input));
    } catch (EleyException e) {
      Input.require(e.code() == ErrorCode.MALFORMED, "an error that is not MALFORMED: " + e);
      return;
    }
    ByteBuffer frame = PfsMessage.encode(message);
    frame.getInt();
    Input.require(PfsMessage.decode(frame).equals(message), message + " came back as another");
  }
}
