package io.eley.bb.api.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** The two ends of one direction, as a handshake would leave them. */
public final class SealedPair {
  private final FrameSealer sealer;
  private final FrameOpener opener;

  private SealedPair(Protection protection, byte[] traffic) {
    sealer = new FrameSealer(protection, RecordCipher.sealing(traffic));
    opener = new FrameOpener(protection, RecordCipher.opening(traffic));
  }

  public static SealedPair of(Protection protection) {
    return of(protection, traffic());
  }

  /** With chosen keys: two of the same are two connections that are the same. */
  public static SealedPair of(Protection protection, byte[] traffic) {
    return new SealedPair(protection, traffic);
  }

  public static byte[] traffic() {
    return Handshake.nonce();
  }

  public FrameSealer sealer() {
    return sealer;
  }

  public FrameOpener opener() {
    return opener;
  }

  /** A whole frame as it goes over the wire. */
  public byte[] frame(Message message, long correlation, byte[] payload) {
    return frame(sealer, message, correlation, payload);
  }

  /** A whole frame as it goes over the wire. */
  public static byte[] frame(
      FrameSealer sealer, Message message, long correlation, byte[] payload) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(array(sealer.seal(Codec.encode(message, correlation, payload.length))));
    if (payload.length > 0) {
      out.writeBytes(payload(sealer, payload));
    }
    return out.toByteArray();
  }

  private static byte[] payload(FrameSealer sealer, byte[] bytes) {
    if (sealer.protection().leavesPayloadsBare()) {
      return bytes;
    }
    FrameSealer.Payload payload = sealer.payload(bytes.length);
    ByteBuffer out = ByteBuffer.allocate((int) payload.sealedLength());
    for (int at = 0; payload.nextLength() > 0; ) {
      int length = payload.nextLength();
      payload.seal(ByteBuffer.wrap(bytes, at, length), out);
      at += length;
    }
    return out.array();
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
