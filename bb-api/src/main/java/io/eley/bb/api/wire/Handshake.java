package io.eley.bb.api.wire;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.HandshakeMessage.Challenge;
import io.eley.bb.api.wire.HandshakeMessage.Greeting;
import io.eley.bb.api.wire.HandshakeMessage.Hello;
import io.eley.bb.api.wire.HandshakeMessage.KeyedHello;
import io.eley.bb.api.wire.HandshakeMessage.Proof;
import io.eley.bb.api.wire.KeySchedule.Side;
import java.security.MessageDigest;
import java.security.SecureRandom;

/**
 * The two halves of a handshake. The construction is that of TLS 1.3 with a pre-shared key alone
 * (RFC 8446, psk_ke): each side's proof is an HMAC over all messages so far under a key that {@link
 * KeySchedule} derives from the secret and both nonces; the keys of the connection are bound to the
 * same messages. What TLS puts into names and certificates is said outright: who each side is, whom
 * the client has called, and the connection's two ends as each sees them. So a stranger who passes
 * messages on to another process of the deployment is noticed by both, and a proof is worth nothing
 * on another connection.
 *
 * <p>Proofs are compared in constant time. No I/O; a half belongs to one connection and one thread.
 */
public final class Handshake {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Handshake() {}

  /** A fresh nonce. */
  public static byte[] nonce() {
    byte[] nonce = new byte[HandshakeMessage.NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /** The half of the one who has connected: hello, then respond. */
  public static final class Client {
    private final Credentials credentials;
    private final Identity dialled;
    private final Endpoints ends;
    private final Greeting hello;

    /**
     * The client's half.
     *
     * @param dialled who must answer
     * @param ends of the connection as our socket has them
     */
    public Client(Credentials credentials, Identity dialled, Endpoints ends) {
      this.credentials = credentials;
      this.dialled = dialled;
      this.ends = ends;
      String key = credentials.key();
      hello =
          key.isEmpty()
              ? new Hello(HandshakeMessage.VERSION, nonce())
              : new KeyedHello(HandshakeMessage.VERSION, nonce(), key);
    }

    public Greeting hello() {
      return hello;
    }

    /**
     * Checks the server's proof and what it says.
     *
     * @throws EleyException {@code UNAUTHENTICATED} when it does not know the secret, sees other
     *     ends than we do or offers too little protection; {@code UNAVAILABLE} when it is another
     *     process of the deployment than the one that was dialled
     */
    public Agreement respond(Challenge challenge) throws EleyException {
      var keys = new KeySchedule(credentials.secret(), hello.nonce(), challenge.nonce());
      byte[] expected = keys.proof(Side.SERVER, hello, challenge.withoutProof());
      if (!MessageDigest.isEqual(challenge.proof(), expected)) {
        throw refused("the server does not know this deployment's secret");
      }
      if (!challenge.server().equals(dialled)) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE, challenge.server() + " answers where " + dialled + " was");
      }
      requireSameEnds(ends, challenge.seen());
      Protection least = Protection.least(credentials.protection(), ends);
      if (challenge.protection().compareTo(least) < 0) {
        throw refused(
            "the server offers " + challenge.protection() + ", this client takes " + least);
      }
      Proof unproved = Proof.unproved(credentials.self(), dialled, ends);
      Proof proof = unproved.with(keys.proof(Side.CLIENT, hello, challenge, unproved));
      return new Agreement(proof, secured(keys, Side.CLIENT, hello, challenge, proof));
    }
  }

  /**
   * What a client has when it trusts the server.
   *
   * @param proof to send
   * @param frames for everything after that
   */
  public record Agreement(Proof proof, SecuredFrames frames) {}

  /** The half of the one who was called: challenge, then verify. */
  public static final class Server {
    private final Credentials credentials;
    private final Endpoints ends;
    private final Greeting hello;
    private final KeySchedule keys;
    private final Challenge challenge;

    /**
     * The server's half, on the client's first message.
     *
     * @param credentials with the secret of the key that the client has named
     * @param ends of the connection as our socket has them
     * @throws EleyException {@code INCOMPATIBLE} when the versions differ, naming both
     */
    public Server(Credentials credentials, Endpoints ends, Greeting hello) throws EleyException {
      requireVersion(hello);
      this.credentials = credentials;
      this.ends = ends;
      this.hello = hello;
      byte[] nonce = nonce();
      keys = new KeySchedule(credentials.secret(), hello.nonce(), nonce);
      Protection offered = Protection.offered(credentials.protection(), ends);
      Challenge unproved = Challenge.unproved(nonce, credentials.self(), ends, offered);
      challenge = unproved.with(keys.proof(Side.SERVER, hello, unproved));
    }

    public Challenge challenge() {
      return challenge;
    }

    /**
     * Checks the client's proof and what it says.
     *
     * @return for everything from the answer to the proof on
     * @throws EleyException {@code UNAUTHENTICATED} when it does not know the secret or sees other
     *     ends than we do, {@code UNAVAILABLE} when it has called somebody else
     */
    public SecuredFrames verify(Proof proof) throws EleyException {
      byte[] expected = keys.proof(Side.CLIENT, hello, challenge, proof.withoutProof());
      if (!MessageDigest.isEqual(proof.proof(), expected)) {
        throw refused("the client does not know this deployment's secret");
      }
      if (!proof.dialled().equals(credentials.self())) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE, credentials.self() + " is here, not " + proof.dialled());
      }
      requireSameEnds(ends, proof.seen());
      return secured(keys, Side.SERVER, hello, challenge, proof);
    }
  }

  private static void requireVersion(Greeting hello) throws EleyException {
    if (hello.version() != HandshakeMessage.VERSION) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE,
          "client speaks protocol version "
              + hello.version()
              + ", this server "
              + HandshakeMessage.VERSION
              + ": use the client jar that came with this deployment");
    }
  }

  private static void requireSameEnds(Endpoints ours, Endpoints theirs) throws EleyException {
    if (!ours.equals(theirs)) {
      throw refused(
          "this connection leads from "
              + ours
              + ", the peer's from "
              + theirs
              + ": a stranger relays it, or something translates addresses");
    }
  }

  private static SecuredFrames secured(
      KeySchedule keys, Side self, Greeting hello, Challenge challenge, Proof proof) {
    Side peer = self == Side.CLIENT ? Side.SERVER : Side.CLIENT;
    var out = RecordCipher.sealing(keys.traffic(self, hello, challenge, proof));
    var in = RecordCipher.opening(keys.traffic(peer, hello, challenge, proof));
    keys.wipe();
    Protection protection = challenge.protection();
    return new SecuredFrames(new FrameSealer(protection, out), new FrameOpener(protection, in));
  }

  private static EleyException refused(String why) {
    return new EleyException(ErrorCode.UNAUTHENTICATED, why);
  }
}
