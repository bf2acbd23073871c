package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One chunk at a time, from a source that answers as it is told to. */
class ChunkReaderTest {
  private static final BlockId BLOCK = new BlockId(new FileVersion("/a", 1000, 1), 0);

  /** A chunk of 100 bytes that begins at byte 300. */
  private static final ChunkReader.Place PLACE = new ChunkReader.Place(BLOCK, 300, 100);

  private final List<Integer> chunks = new ArrayList<>();
  private final List<Long> positions = new ArrayList<>();
  private final ChunkReader reader =
      new ChunkReader(
          new FetchListener() {
            @Override
            public void alreadyThere(BlockId block) {}

            @Override
            public void failed(BlockId block, EleyException error) {}

            @Override
            public void chunkRead(long endedAt, long tookNanos, int bytes, double underWay) {
              chunks.add(bytes);
            }
          });

  /** A file that gives so many bytes with each read, and all that is wanted after these. */
  private ChunkReader.Source gives(int... counts) {
    return (position, target, cause) -> {
      int call = positions.size();
      positions.add(position);
      int count = call < counts.length ? counts[call] : target.remaining();
      for (int i = 0; i < count; i++) {
        target.put((byte) (position + i));
      }
      return count;
    };
  }

  @Test
  void aReadThatEndsEarlyIsGoneOnWithWhereItEnded() throws Exception {
    var target = ByteBuffer.allocate(100);
    reader.read(gives(1, 50), PLACE, ReadCause.DEMAND, target);
    assertThat(positions).containsExactly(300L, 301L, 351L);
    assertThat(target.hasRemaining()).isFalse();
    for (int i = 0; i < 100; i++) {
      assertThat(target.get(i)).as("byte %s", i).isEqualTo((byte) (300 + i));
    }
    assertThat(reader.bytesByCause()).isEqualTo(Map.of(ReadCause.DEMAND, 100L));
    assertThat(chunks).containsExactly(100);
  }

  @Test
  void aFileThatGivesNothingMoreIsStaleWhetherItSaysSoOrNot() {
    for (int nothing : new int[] {0, -1}) {
      positions.clear();
      assertThatThrownBy(
              () ->
                  reader.read(
                      gives(60, nothing), PLACE, ReadCause.PREFETCH, ByteBuffer.allocate(100)))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION))
          .hasMessageContaining("/a has become shorter");
    }
    assertThat(reader.bytesByCause())
        .as("what has come before moved, too")
        .isEqualTo(Map.of(ReadCause.PREFETCH, 120L));
    assertThat(chunks).as("half a chunk says nothing of how long a chunk takes").isEmpty();
    assertThat(reader.underWay()).isEmpty();
  }

  @Test
  void aReadIsUnderWayUntilItIsOver() throws Exception {
    reader.read(
        (position, target, cause) -> {
          assertThat(reader.underWay())
              .singleElement()
              .satisfies(read -> assertThat(read.bytes()).isEqualTo(100));
          target.position(target.limit());
          return 100;
        },
        PLACE,
        ReadCause.DEMAND,
        ByteBuffer.allocate(100));
    assertThat(reader.underWay()).isEmpty();
  }

  @Test
  void bytesAreCountedByTheCauseOfTheirRead() throws Exception {
    reader.read(gives(), PLACE, ReadCause.DEMAND, ByteBuffer.allocate(100));
    reader.read(gives(), PLACE, ReadCause.PREFETCH, ByteBuffer.allocate(100));
    reader.read(gives(), PLACE, ReadCause.PREFETCH, ByteBuffer.allocate(100));
    assertThat(reader.bytesByCause())
        .isEqualTo(Map.of(ReadCause.DEMAND, 100L, ReadCause.PREFETCH, 200L));
  }

  @Test
  void aBufferIsUsedAgainOnceItIsGivenBackAndForgottenUntilThen() {
    var buffer = new ChunkReader.Buffer(100);
    ByteBuffer first = buffer.take(60);
    assertThat(first.remaining()).isEqualTo(60);
    assertThat(first.capacity()).isEqualTo(100);
    assertThat(first.isDirect()).as("what the origin reads into without a copy").isTrue();
    ByteBuffer second = buffer.take(100);
    assertThat(second).as("a call that hangs may write to the first").isNotSameAs(first);
    second.position(99);
    buffer.give(second);
    ByteBuffer again = buffer.take(70);
    assertThat(again).isSameAs(second);
    assertThat(again.position()).isZero();
    assertThat(again.limit()).isEqualTo(70);
    assertThat(buffer.take(1)).as("taken already").isNotSameAs(second);
  }
}
