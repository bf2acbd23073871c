package io.eley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownBytesTest {
  private static ByteBuffer bytes(KnownBytes known, long position, int length) {
    var bytes = ByteBuffer.allocate(length);
    known.fill(position, bytes);
    return bytes.flip();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 77})
  void aPieceIsThatPartOfTheWhole(long seed) {
    var known = new KnownBytes(seed);
    ByteBuffer whole = bytes(known, 0, 1000);
    var random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      int from = random.nextInt(900);
      int length = random.nextInt(100);
      assertThat(bytes(known, from, length)).isEqualTo(whole.slice(from, length));
      assertThat(known.matches(from, whole.slice(from, length))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 8, 63})
  void oneFlippedBitOneOtherPlaceOrOneOtherGenerationIsNoticed(int at) {
    var known = new KnownBytes(5);
    ByteBuffer read = bytes(known, 4096, 64);
    assertThat(known.matches(4096, read)).isTrue();
    assertThat(known.matches(4097, read)).isFalse();
    assertThat(known.matches(0, read)).isFalse();
    assertThat(new KnownBytes(6).matches(4096, read)).isFalse();
    read.put(at, (byte) (read.get(at) ^ 4));
    assertThat(known.matches(4096, read)).isFalse();
  }
}
