package io.eley.bb.api.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HKDF with SHA-256 (RFC 5869), and the labels that TLS 1.3 puts on top (RFC 8446, section 7.1).
 * Pure.
 */
final class Hkdf {
  static final int HASH_BYTES = 32;

  private static final String HMAC = "HmacSHA256";
  private static final String PROTOCOL = "eley ";

  private Hkdf() {}

  /** RFC 5869, section 2.2: a pseudorandom key. */
  static byte[] extract(byte[] salt, byte[] keyMaterial) {
    return hmac(salt.length == 0 ? new byte[HASH_BYTES] : salt, keyMaterial);
  }

  /**
   * RFC 5869, section 2.3.
   *
   * @param length bytes, at most 255 times 32
   */
  static byte[] expand(byte[] key, byte[] info, int length) {
    byte[] output = new byte[length];
    byte[] block = new byte[0];
    for (int done = 0, round = 1; done < length; done += HASH_BYTES, round++) {
      byte[] previous = block;
      block = hmac(key, block, info, new byte[] {(byte) round});
      Arrays.fill(previous, (byte) 0);
      System.arraycopy(block, 0, output, done, Math.min(HASH_BYTES, length - done));
    }
    Arrays.fill(block, (byte) 0);
    return output;
  }

  /**
   * HKDF-Expand-Label of RFC 8446, section 7.1, with our protocol's name in the place of "tls13 ".
   *
   * @param context at most 255 bytes
   */
  static byte[] expandLabel(byte[] key, String label, byte[] context, int length) {
    byte[] name = (PROTOCOL + label).getBytes(StandardCharsets.US_ASCII);
    ByteBuffer info = ByteBuffer.allocate(4 + name.length + context.length);
    info.putShort((short) length).put((byte) name.length).put(name);
    info.put((byte) context.length).put(context);
    return expand(key, info.array(), length);
  }

  static byte[] hmac(byte[] key, byte[]... texts) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      for (byte[] text : texts) {
        mac.update(text);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + HMAC, e);
    }
  }
}
