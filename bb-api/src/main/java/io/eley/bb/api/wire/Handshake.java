package io.eley.bb.api.wire;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The proofs of the handshake, for both sides. The server proves HMAC(secret, "server" ‖ version ‖
 * client nonce ‖ server nonce), then the client HMAC(secret, "client" ‖ the same), so neither proof
 * can be reflected as the other, and both are bound to the version. Compared in constant time
 * ({@link MessageDigest#isEqual}). Thread-safe, no I/O.
 */
public final class Handshake {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Secret secret;
  private final byte[] clientNonce;
  private final byte[] serverNonce;

  private Handshake(Secret secret, byte[] clientNonce, byte[] serverNonce) {
    this.secret = secret;
    this.clientNonce = clientNonce;
    this.serverNonce = serverNonce;
  }

  public static byte[] nonce() {
    byte[] nonce = new byte[HandshakeMessage.NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /**
   * The server's side, on the client's first message.
   *
   * @throws EleyException {@code INCOMPATIBLE} when the versions differ, saying which is older
   */
  public static Handshake accept(Secret secret, HandshakeMessage.Hello hello) throws EleyException {
    if (hello.version() != HandshakeMessage.VERSION) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE,
          "client speaks protocol version "
              + hello.version()
              + ", this server "
              + HandshakeMessage.VERSION
              + ": use the client jar that came with this deployment");
    }
    return new Handshake(secret, hello.nonce(), nonce());
  }

  public HandshakeMessage.Challenge challenge() {
    return new HandshakeMessage.Challenge(serverNonce, proof("server"));
  }

  /**
   * The server's check of the client.
   *
   * @throws EleyException {@code UNAUTHENTICATED}
   */
  public void verify(HandshakeMessage.Proof proof) throws EleyException {
    if (!MessageDigest.isEqual(proof.proof(), proof("client"))) {
      throw refused("the client does not know this deployment's secret");
    }
  }

  /**
   * The client's check of the server, and its own proof.
   *
   * @throws EleyException {@code UNAUTHENTICATED} when the server does not know the secret
   */
  public static HandshakeMessage.Proof respond(
      Secret secret, byte[] clientNonce, HandshakeMessage.Challenge challenge)
      throws EleyException {
    var handshake = new Handshake(secret, clientNonce, challenge.nonce());
    if (!MessageDigest.isEqual(challenge.proof(), handshake.proof("server"))) {
      throw refused("the server does not know this deployment's secret");
    }
    return new HandshakeMessage.Proof(handshake.proof("client"));
  }

  private static EleyException refused(String why) {
    return new EleyException(ErrorCode.UNAUTHENTICATED, why);
  }

  private byte[] proof(String side) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.key(), "HmacSHA256"));
      mac.update(side.getBytes(StandardCharsets.US_ASCII));
      mac.update((byte) HandshakeMessage.VERSION);
      mac.update(clientNonce);
      return mac.doFinal(serverNonce);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }
}
