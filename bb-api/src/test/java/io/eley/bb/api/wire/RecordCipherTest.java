package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.EleyException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both ends of a connection run the same code, so that a wrong nonce or a key that never changes
 * would open all the same: records are compared with what the JDK makes of RFC 8446, section 5.3.
 */
class RecordCipherTest {
  private static final byte[] TRAFFIC = new byte[Hkdf.HASH_BYTES];
  private static final byte[] CLEAR = {1, 2, 3};
  private static final byte[] HIDDEN = {4, 5};

  private static byte[] sealed(RecordCipher cipher, long number) {
    var out = ByteBuffer.allocate(HIDDEN.length + RecordCipher.TAG_BYTES);
    cipher.seal(number, ByteBuffer.wrap(CLEAR), ByteBuffer.wrap(HIDDEN), out);
    return out.array();
  }

  private static byte[] expected(long number) throws Exception {
    byte[] keyNumber = ByteBuffer.allocate(8).putLong(number >> 20).array();
    byte[] nonce = Hkdf.expandLabel(TRAFFIC, "iv", keyNumber, 12);
    byte[] padded = ByteBuffer.allocate(12).putInt(0).putLong(number).array();
    for (int i = 0; i < nonce.length; i++) {
      nonce[i] ^= padded[i];
    }
    var key = new SecretKeySpec(Hkdf.expandLabel(TRAFFIC, "key", keyNumber, 16), "AES");
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
    cipher.updateAAD(CLEAR);
    return cipher.doFinal(HIDDEN);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 255, 256, 65_535, 65_536, 1_048_575, 1_048_576, 1L << 40, 1L << 62})
  void aRecordIsSealedUnderTheKeyAndTheNonceOfItsNumber(long number) throws Exception {
    assertThat(sealed(RecordCipher.sealing(TRAFFIC), number)).isEqualTo(expected(number));
  }

  @Test
  void noTwoNumbersShareANonceAndAKey() {
    var cipher = RecordCipher.sealing(TRAFFIC);
    var seen = new HashSet<String>();
    for (long number = 0; number < 2000; number++) {
      assertThat(seen.add(Arrays.toString(sealed(cipher, number)))).isTrue();
    }
  }

  @Test
  void aKeyThatHasChangedChangesBackForAnEarlierRecord() throws EleyException {
    var opening = RecordCipher.opening(TRAFFIC);
    for (long number : new long[] {0, 1 << 20, 1}) {
      var out = ByteBuffer.allocate(HIDDEN.length);
      byte[] record = sealed(RecordCipher.sealing(TRAFFIC), number);
      opening.open(number, ByteBuffer.wrap(CLEAR), ByteBuffer.wrap(record), out);
      assertThat(out.array()).isEqualTo(HIDDEN);
    }
  }
}
