package io.eley.bb.api.wire;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The keys of one connection. They follow the key schedule of TLS 1.3 (RFC 8446, section 7.1) with
 * a pre-shared key alone, in one stage: a root is extracted from the secret and both nonces; from
 * it come a key for each side's proof, and a secret for each direction, bound to the hash of all
 * messages of the handshake.
 */
final class KeySchedule {
  /** A side of the connection, and the label of its keys. */
  enum Side {
    CLIENT("c"),
    SERVER("s");

    private final String label;

    Side(String label) {
      this.label = label;
    }
  }

  private static final byte[] NO_CONTEXT = {};

  private final byte[] root;

  KeySchedule(Secret secret, byte[] clientNonce, byte[] serverNonce) {
    byte[] salt = Arrays.copyOf(clientNonce, clientNonce.length + serverNonce.length);
    System.arraycopy(serverNonce, 0, salt, clientNonce.length, serverNonce.length);
    root = Hkdf.extract(salt, secret.key());
  }

  /** What this side shows after these messages: the "Finished" of RFC 8446, section 4.4.4. */
  byte[] proof(Side side, Message... transcript) {
    byte[] key = Hkdf.expandLabel(root, side.label + " finished", NO_CONTEXT, Hkdf.HASH_BYTES);
    byte[] proof = Hkdf.hmac(key, hash(transcript));
    Arrays.fill(key, (byte) 0);
    return proof;
  }

  /** The secret of what this side sends after these messages. */
  byte[] traffic(Side side, Message... transcript) {
    return Hkdf.expandLabel(root, side.label + " traffic", hash(transcript), Hkdf.HASH_BYTES);
  }

  /** Forgets the root: nothing more can be derived. */
  void wipe() {
    Arrays.fill(root, (byte) 0);
  }

  /** Over the messages as frames, so that types and lengths are a part of it. */
  private static byte[] hash(Message... transcript) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Message message : transcript) {
        digest.update(Codec.encode(message, FrameHeader.PUSH));
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
