package io.eley.bb.api.wire;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.fuzz.Input;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Sealed frames: what the peer has sealed is opened as it was, whatever it is; what somebody has
 * touched is {@code UNAUTHENTICATED}; a prefix is checked before anything is waited for.
 */
public final class SealedFrameFuzz {
  private static final List<Protection> LEVELS = List.of(Protection.values());
  private static final byte[] TRAFFIC = new byte[Hkdf.HASH_BYTES];
  private static final int SMALLEST = Integer.BYTES + FrameHeader.BYTES + RecordCipher.TAG_BYTES;

  private SealedFrameFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    int choice = Input.choice(input);
    byte[] rest = Input.rest(input);
    Protection protection = LEVELS.get(choice % LEVELS.size());
    var opener = new FrameOpener(protection, RecordCipher.opening(TRAFFIC));
    if (choice < 128) {
      openWhatStrangersSend(opener, rest);
    } else {
      openWhatThePeerSealed(protection, opener, rest);
    }
  }

  private static void openWhatStrangersSend(FrameOpener opener, byte[] rest) {
    if (rest.length < SMALLEST) {
      return;
    }
    ByteBuffer frame = ByteBuffer.wrap(rest);
    try {
      int length = Integer.BYTES + FrameOpener.lengthBehind(frame.getInt(0));
      Input.require(
          length <= SMALLEST + FrameHeader.MAX_BODY, "a length beyond the limit: " + length);
      if (length <= rest.length) {
        opener.open(frame.limit(length));
        Input.require(false, "a stranger's frame was opened");
      }
    } catch (EleyException e) {
      Input.require(
          e.code() == ErrorCode.MALFORMED || e.code() == ErrorCode.UNAUTHENTICATED,
          "an error of another kind: " + e);
    }
  }

  private static void openWhatThePeerSealed(
      Protection protection, FrameOpener opener, byte[] rest) {
    var sealer = new FrameSealer(protection, RecordCipher.sealing(TRAFFIC));
    ByteBuffer sealed = sealer.seal(ByteBuffer.wrap(rest));
    byte[] copy = new byte[sealed.remaining()];
    sealed.duplicate().get(copy);
    try {
      ByteBuffer opened = opener.open(sealed);
      Input.require(opened.equals(ByteBuffer.wrap(rest)), "a frame was opened as another one");
      if (opened.remaining() >= FrameHeader.BYTES) {
        FrameHeader header = FrameOpener.header(opened);
        Codec.decode(header, opened);
      }
    } catch (EleyException e) {
      Input.require(e.code() == ErrorCode.MALFORMED, "an error that is not MALFORMED: " + e);
    }
    refusesATouchedOne(protection, copy, rest);
  }

  private static void refusesATouchedOne(Protection protection, byte[] sealed, byte[] rest) {
    int at = rest.length == 0 ? 0 : Byte.toUnsignedInt(rest[rest.length - 1]);
    sealed[at % sealed.length] ^= 1;
    var opener = new FrameOpener(protection, RecordCipher.opening(TRAFFIC));
    try {
      opener.open(ByteBuffer.wrap(sealed));
      Input.require(false, "a frame that was touched was opened");
    } catch (EleyException e) {
      Input.require(e.code() == ErrorCode.UNAUTHENTICATED, "an error of another kind: " + e);
    }
  }
}
