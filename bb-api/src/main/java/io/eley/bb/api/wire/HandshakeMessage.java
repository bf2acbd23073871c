package io.eley.bb.api.wire;

import java.util.Arrays;

/**
 * The first four messages of a connection: challenge and response with HMAC-SHA256 (RFC 2104, FIPS
 * 180-4) under the deployment's secret, in both directions, so that neither side talks to a
 * stranger on a reused port. See {@link Handshake} for the proofs.
 */
@SuppressWarnings(
    "ArrayRecordComponent") // equality is defined by hand; nonces go to Mac and back as arrays
public sealed interface HandshakeMessage extends Message {
  /** "ELEY" in ASCII: tells a wrong protocol from a wrong version. */
  int MAGIC = 0x454c4559;

  /**
   * The version of everything in this package. It grows when a peer of the old version would
   * misunderstand.
   */
  int VERSION = 5;

  int NONCE_BYTES = 32;
  int PROOF_BYTES = 32;

  /** Client to server, first. */
  record Hello(int version, byte[] nonce) implements HandshakeMessage {
    public Hello {
      requireLength(nonce, NONCE_BYTES);
    }

    @Override
    public MessageType type() {
      return MessageType.HELLO;
    }

    @Override
    public void write(WireWriter out) {
      out.i32(MAGIC).i32(version).blob(nonce);
    }

    static Hello read(WireReader in) {
      if (in.i32() != MAGIC) {
        throw new IllegalArgumentException("this is not the Eley protocol");
      }
      return new Hello(in.i32(), in.blob(NONCE_BYTES));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Hello h && version == h.version && Arrays.equals(nonce, h.nonce);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(nonce);
    }
  }

  /** Server to client: its own nonce, and the proof that it knows the secret. */
  record Challenge(byte[] nonce, byte[] proof) implements HandshakeMessage {
    public Challenge {
      requireLength(nonce, NONCE_BYTES);
      requireLength(proof, PROOF_BYTES);
    }

    @Override
    public MessageType type() {
      return MessageType.CHALLENGE;
    }

    @Override
    public void write(WireWriter out) {
      out.blob(nonce).blob(proof);
    }

    static Challenge read(WireReader in) {
      return new Challenge(in.blob(NONCE_BYTES), in.blob(PROOF_BYTES));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Challenge c
          && Arrays.equals(nonce, c.nonce)
          && Arrays.equals(proof, c.proof);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(nonce);
    }
  }

  /**
   * Client to server: the proof that the client knows the secret. Answered by {@link
   * ReplyMessage.Ok}.
   */
  record Proof(byte[] proof) implements HandshakeMessage {
    public Proof {
      requireLength(proof, PROOF_BYTES);
    }

    @Override
    public MessageType type() {
      return MessageType.PROOF;
    }

    @Override
    public void write(WireWriter out) {
      out.blob(proof);
    }

    static Proof read(WireReader in) {
      return new Proof(in.blob(PROOF_BYTES));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Proof p && Arrays.equals(proof, p.proof);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(proof);
    }
  }

  private static void requireLength(byte[] bytes, int length) {
    if (bytes.length != length) {
      throw new IllegalArgumentException(bytes.length + " bytes where " + length + " belong");
    }
  }
}
