package io.eley.bb.api.wire;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One direction's records: AES-128-GCM, the nonce being the direction's vector XOR the record's
 * number (RFC 8446, section 5.3). A number is used once, and a record opens under its own number
 * alone: one that is repeated, left out or in another place does not open.
 *
 * <p>After {@link #RECORDS_PER_KEY} records the key changes, long before AES-GCM's margin of 2^24.5
 * records of 16 KiB (RFC 8446, section 5.5) is used up. Not safe for several threads.
 */
final class RecordCipher {
  static final int TAG_BYTES = 16;

  /** Of 64 KiB at most: 64 GiB under one key. */
  static final int RECORDS_PER_KEY = 1 << 20;

  private static final int KEY_BYTES = 16;
  private static final int IV_BYTES = 12;

  private final byte[] traffic;
  private final int mode;
  private final Cipher cipher;
  private long generation;
  private SecretKeySpec key;
  private byte[] iv;

  private RecordCipher(byte[] traffic, int mode) {
    this.traffic = traffic;
    this.mode = mode;
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
    key = keyOf(0);
    iv = ivOf(0);
  }

  static RecordCipher sealing(byte[] traffic) {
    return new RecordCipher(traffic, Cipher.ENCRYPT_MODE);
  }

  static RecordCipher opening(byte[] traffic) {
    return new RecordCipher(traffic, Cipher.DECRYPT_MODE);
  }

  /**
   * Puts what is hidden, encrypted, and a tag over both into {@code out}.
   *
   * @param clear is authenticated and not hidden; consumed
   * @param hidden is both; consumed
   */
  void seal(long number, ByteBuffer clear, ByteBuffer hidden, ByteBuffer out) {
    try {
      run(number, clear, hidden, out);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot seal a record", e);
    }
  }

  /**
   * Puts what was hidden into {@code out}.
   *
   * @param sealed what was hidden and the tag; consumed
   * @throws EleyException {@code UNAUTHENTICATED} when it is not the record of this number
   */
  void open(long number, ByteBuffer clear, ByteBuffer sealed, ByteBuffer out) throws EleyException {
    try {
      run(number, clear, sealed, out);
    } catch (AEADBadTagException e) {
      throw new EleyException(
          ErrorCode.UNAUTHENTICATED,
          "what came is not what the peer sent: changed, repeated, left out or put in on its way");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot open a record", e);
    }
  }

  private void run(long number, ByteBuffer clear, ByteBuffer in, ByteBuffer out)
      throws GeneralSecurityException {
    takeKeyOf(number / RECORDS_PER_KEY);
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce(number)));
    cipher.updateAAD(clear);
    cipher.doFinal(in, out);
  }

  private void takeKeyOf(long wanted) {
    if (wanted != generation) {
      generation = wanted;
      key = keyOf(wanted);
      iv = ivOf(wanted);
    }
  }

  private SecretKeySpec keyOf(long wanted) {
    byte[] bytes = Hkdf.expandLabel(traffic, "key", context(wanted), KEY_BYTES);
    var made = new SecretKeySpec(bytes, "AES");
    Arrays.fill(bytes, (byte) 0);
    return made;
  }

  private byte[] ivOf(long wanted) {
    return Hkdf.expandLabel(traffic, "iv", context(wanted), IV_BYTES);
  }

  private static byte[] context(long wanted) {
    return ByteBuffer.allocate(Long.BYTES).putLong(wanted).array();
  }

  private byte[] nonce(long number) {
    byte[] nonce = iv.clone();
    for (int i = 0; i < Long.BYTES; i++) {
      nonce[IV_BYTES - 1 - i] ^= (byte) (number >>> (8 * i));
    }
    return nonce;
  }
}
