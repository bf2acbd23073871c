package io.eley.bb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockGeometryTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(4 * MIB, MIB);

  @ParameterizedTest
  @CsvSource({"4096, 4096", "1073741824, 4096", "1073741824, 16777216", "12288, 4096"})
  void takesTheSizesAtItsBounds(int block, int chunk) {
    assertThatCode(() -> new BlockGeometry(block, chunk)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"2048, 2048", "67108864, 33554432", "18432, 6144", "0, 0", "-8192, -4096"})
  void refusesChunksThatAreTooSmallTooLargeOrNoPowerOfTwo(int block, int chunk) {
    assertThatThrownBy(() -> new BlockGeometry(block, chunk))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("chunk size must be")
        .hasMessageContaining(String.valueOf(chunk));
  }

  @ParameterizedTest
  @CsvSource({"4096, 8192", "12289, 4096", "1073745920, 4096", "0, 4096", "-4096, 4096"})
  void refusesBlocksThatAreTooLargeOrNoWholeNumberOfChunks(int block, int chunk) {
    assertThatThrownBy(() -> new BlockGeometry(block, chunk))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("block size must be")
        .hasMessageContaining(String.valueOf(block));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "4194303, 1", "4194304, 1", "4194305, 2", "8388608, 2"})
  void aFileHasAsManyBlocksAsItNeeds(long length, int blocks) {
    assertThat(GEOMETRY.blockCount(length)).isEqualTo(blocks);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "4194303, 0", "4194304, 1", "8388607, 1", "8388608, 2"})
  void aByteLiesInOneBlock(long offset, int block) {
    assertThat(GEOMETRY.blockIndex(offset)).isEqualTo(block);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1048575, 1", "1048576, 1", "1048577, 2", "4194304, 4"})
  void aBlockHasAsManyChunksAsItNeeds(int length, int chunks) {
    assertThat(GEOMETRY.chunkCount(length)).isEqualTo(chunks);
  }

  @Test
  void theLastBlockIsAsLongAsWhatIsLeft() {
    var file = new FileVersion("/f", 4L * MIB + 7, 1);
    assertThat(GEOMETRY.range(new BlockId(file, 0))).isEqualTo(new ByteRange(0, 4 * MIB));
    assertThat(GEOMETRY.range(new BlockId(file, 1))).isEqualTo(new ByteRange(4 * MIB, 7));
    assertThat(GEOMETRY.length(new BlockId(file, 1))).isEqualTo(7);
  }

  @Test
  void aBlockBehindTheEndOfItsFileIsRefused() {
    var file = new FileVersion("/f", 4L * MIB, 1);
    assertThatThrownBy(() -> GEOMETRY.range(new BlockId(file, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/f@1+4194304#1");
    assertThatThrownBy(() -> GEOMETRY.length(new BlockId(new FileVersion("/e", 0, 1), 0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFileOfMoreBlocksThanAnIntCountsIsRefusedNotWrapped() {
    var small = new BlockGeometry(4 * KIB, 4 * KIB);
    long most = Integer.MAX_VALUE * 4096L;
    assertThat(small.blockCount(most)).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> small.blockCount(most + 1)).isInstanceOf(ArithmeticException.class);
    assertThat(small.blockIndex(most)).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> small.blockIndex(most + 4096)).isInstanceOf(ArithmeticException.class);
    assertThat(small.range(new BlockId(new FileVersion("/f", most, 1), Integer.MAX_VALUE - 1)))
        .isEqualTo(new ByteRange(most - 4096, 4096));
  }

  @Test
  void theBlocksOfAFileAreItsBytesOnceEach() {
    var random = Seed.random("the geometries");
    for (int i = 0; i < 500; i++) {
      int chunk = (4 * KIB) << random.nextInt(13);
      var geometry = new BlockGeometry(chunk * (1 + random.nextInt(60)), chunk);
      long length = 1 + (random.nextLong() >>> (1 + random.nextInt(20))) % (1L << 36);
      length = Math.min(length, 50L * geometry.blockSize());
      var file = new FileVersion("/f", length, 1);
      long at = 0;
      for (int index = 0; index < geometry.blockCount(length); index++) {
        var block = new BlockId(file, index);
        ByteRange range = geometry.range(block);
        assertThat(range.offset()).isEqualTo(at);
        assertThat(geometry.length(block)).isEqualTo((int) range.length());
        assertThat(geometry.blockIndex(range.offset())).isEqualTo(index);
        assertThat(geometry.blockIndex(range.end() - 1)).isEqualTo(index);
        int chunks = geometry.chunkCount((int) range.length());
        assertThat((long) chunks * chunk).isGreaterThanOrEqualTo(range.length());
        assertThat((chunks - 1L) * chunk).isLessThan(range.length());
        at = range.end();
      }
      assertThat(at).isEqualTo(length);
    }
  }
}
