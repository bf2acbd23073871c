package io.eley.bb.api.wire;

import io.eley.bb.api.edge.NameRule;
import java.util.Arrays;

/**
 * The first messages of a connection, the only ones in the clear. Each side says who it is and
 * which ends the connection has in its eyes, and proves that it knows the deployment's secret and
 * saw the same messages. See {@link Handshake}.
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
  int VERSION = 19;

  int NONCE_BYTES = 32;
  int PROOF_BYTES = 32;

  /** How a client begins. */
  sealed interface Greeting extends HandshakeMessage {
    /** The version that the client speaks. */
    int version();

    /** The client's own. */
    byte[] nonce();

    /** The name of the key that the client has; empty for the server's only one. */
    String key();
  }

  /**
   * Client to server, first. Its form never changes, so that a peer of any version can say which
   * one it speaks.
   */
  record Hello(int version, byte[] nonce) implements Greeting {
    public Hello {
      requireLength(nonce, NONCE_BYTES);
    }

    @Override
    public String key() {
      return "";
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

  /**
   * Instead of {@link Hello} to a server that has a key for each of its clients: the PSK identity
   * of RFC 8446, section 4.2.11. Its form never changes either. That the server has the key of that
   * name is shown by its proof, so a name that is exchanged on the way makes no proof fit.
   *
   * @param key its name, see {@link NameRule#KEY}
   */
  record KeyedHello(int version, byte[] nonce, String key) implements Greeting {
    public KeyedHello {
      requireLength(nonce, NONCE_BYTES);
      NameRule.KEY.require(key);
    }

    @Override
    public MessageType type() {
      return MessageType.KEYED_HELLO;
    }

    @Override
    public void write(WireWriter out) {
      out.i32(MAGIC).i32(version).blob(nonce).text(key);
    }

    static KeyedHello read(WireReader in) {
      var hello = Hello.read(in);
      return new KeyedHello(hello.version, hello.nonce, in.text(NameRule.KEY.bytesMax()));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof KeyedHello h
          && version == h.version
          && Arrays.equals(nonce, h.nonce)
          && key.equals(h.key);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(nonce);
    }
  }

  /**
   * Server to client.
   *
   * @param nonce the server's own
   * @param server who answers
   * @param seen the ends of the connection as the server's socket has them
   * @param protection of everything after the handshake
   * @param proof over Hello and this message with zeroes as its proof
   */
  record Challenge(
      byte[] nonce, Identity server, Endpoints seen, Protection protection, byte[] proof)
      implements HandshakeMessage {
    public Challenge {
      requireLength(nonce, NONCE_BYTES);
      requireLength(proof, PROOF_BYTES);
    }

    /** The same before its proof is known. */
    static Challenge unproved(
        byte[] nonce, Identity server, Endpoints seen, Protection protection) {
      return new Challenge(nonce, server, seen, protection, new byte[PROOF_BYTES]);
    }

    Challenge with(byte[] newProof) {
      return new Challenge(nonce, server, seen, protection, newProof);
    }

    Challenge withoutProof() {
      return with(new byte[PROOF_BYTES]);
    }

    @Override
    public MessageType type() {
      return MessageType.CHALLENGE;
    }

    @Override
    public void write(WireWriter out) {
      out.blob(nonce);
      server.write(out);
      seen.write(out);
      out.constant(protection).blob(proof);
    }

    static Challenge read(WireReader in) {
      return new Challenge(
          in.blob(NONCE_BYTES),
          Identity.read(in),
          Endpoints.read(in),
          in.constant(Protection.class),
          in.blob(PROOF_BYTES));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Challenge c
          && Arrays.equals(nonce, c.nonce)
          && server.equals(c.server)
          && seen.equals(c.seen)
          && protection == c.protection
          && Arrays.equals(proof, c.proof);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(nonce);
    }
  }

  /**
   * Client to server. Answered by {@link ReplyMessage.Ok}, the first frame that is protected.
   *
   * @param client who asks
   * @param dialled whom it has called
   * @param seen the ends of the connection as the client's socket has them
   * @param proof over all messages, this one with zeroes as its proof
   */
  record Proof(Identity client, Identity dialled, Endpoints seen, byte[] proof)
      implements HandshakeMessage {
    public Proof {
      requireLength(proof, PROOF_BYTES);
    }

    /** The same before its proof is known. */
    static Proof unproved(Identity client, Identity dialled, Endpoints seen) {
      return new Proof(client, dialled, seen, new byte[PROOF_BYTES]);
    }

    Proof with(byte[] newProof) {
      return new Proof(client, dialled, seen, newProof);
    }

    Proof withoutProof() {
      return with(new byte[PROOF_BYTES]);
    }

    @Override
    public MessageType type() {
      return MessageType.PROOF;
    }

    @Override
    public void write(WireWriter out) {
      client.write(out);
      dialled.write(out);
      seen.write(out);
      out.blob(proof);
    }

    static Proof read(WireReader in) {
      return new Proof(
          Identity.read(in), Identity.read(in), Endpoints.read(in), in.blob(PROOF_BYTES));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Proof p
          && client.equals(p.client)
          && dialled.equals(p.dialled)
          && seen.equals(p.seen)
          && Arrays.equals(proof, p.proof);
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
