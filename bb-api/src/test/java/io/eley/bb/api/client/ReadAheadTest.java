package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int CHUNK = 4 << 10;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(16 * CHUNK, CHUNK);

  private final ReadAhead ahead = new ReadAhead(false);

  /** A read that is answered as a whole; returns the block to ask for. */
  private int noted(long position, int count) {
    ahead.behind(position, count, GEOMETRY);
    return ahead.noted(position, count, count, GEOMETRY);
  }

  private int behind(long position) {
    return ahead.behind(position, 1, GEOMETRY);
  }

  @Test
  void whatIsWorthFetchingIsAsMuchAsWasReadFromAChunkOn() {
    assertThat(behind(0)).as("nothing was read yet").isZero();
    noted(0, CHUNK - 1);
    assertThat(behind(CHUNK - 1)).as("less than a chunk").isZero();
    noted(CHUNK - 1, 1);
    assertThat(behind(CHUNK)).isEqualTo(CHUNK);
    noted(CHUNK, 2 * CHUNK);
    assertThat(behind(3 * CHUNK)).isEqualTo(3 * CHUNK);
    assertThat(behind(9 * CHUNK)).as("a jump").isZero();
    noted(3 * CHUNK, 100 * CHUNK);
    assertThat(behind(103 * CHUNK)).as("a block at most").isEqualTo(16 * CHUNK);
  }

  @Test
  void whereAPlanKnowsWhatComesItIsATwentieth() {
    var planned = new ReadAhead(true);
    for (int at = 0; at < 40 * CHUNK; at += CHUNK) {
      assertThat(planned.behind(at, CHUNK, GEOMETRY)).isEqualTo(at / 20);
      planned.noted(at, CHUNK, CHUNK, GEOMETRY);
    }
    planned.behind(90 * CHUNK, CHUNK, GEOMETRY);
    planned.noted(90 * CHUNK, CHUNK - 1, CHUNK - 1, GEOMETRY);
    assertThat(planned.behind(91 * CHUNK - 1, 1, GEOMETRY)).as("less than a chunk").isZero();
  }

  @Test
  void theNextBlockIsAskedForOnceWhenAsMuchWasReadAsIsLeftOfThisOne() {
    assertThat(noted(0, 4 * CHUNK)).isEqualTo(-1);
    assertThat(noted(4 * CHUNK, 3 * CHUNK)).isEqualTo(-1);
    assertThat(noted(7 * CHUNK, CHUNK)).as("half of it").isEqualTo(1);
    assertThat(noted(8 * CHUNK, CHUNK)).as("asked for already").isEqualTo(-1);
    assertThat(noted(9 * CHUNK, 7 * CHUNK)).isEqualTo(-1);
    assertThat(noted(16 * CHUNK, CHUNK)).isEqualTo(2);
  }

  @Test
  void aShortReadAtTheEndOfABlockAsksForNothing() {
    assertThat(noted(16 * CHUNK - 10, 10)).isEqualTo(-1);
    assertThat(noted(16 * CHUNK, 10)).isEqualTo(-1);
  }

  @Test
  void jumpingAboutAsksForNothing() {
    for (int i = 0; i < 20; i++) {
      assertThat(behind(1000L * CHUNK * i + 8)).isZero();
      assertThat(noted(1000L * CHUNK * i + 8, 2 * CHUNK)).isEqualTo(-1);
    }
  }

  @Test
  void aJumpBeginsTheCountAnew() {
    noted(0, 7 * CHUNK);
    assertThat(noted(8 * CHUNK, CHUNK)).isEqualTo(-1);
    assertThat(noted(9 * CHUNK, CHUNK)).isEqualTo(-1);
    assertThat(behind(10 * CHUNK)).isEqualTo(2 * CHUNK);
    assertThat(noted(10 * CHUNK, 2 * CHUNK)).as("4 read, 4 left").isEqualTo(1);
  }

  @Test
  void eachBlockOfAScanIsAskedForOnceWhileTheOneBeforeIsRead() {
    var asked = new ArrayList<Integer>();
    for (int at = 0; at < 64 * CHUNK; at += CHUNK / 2) {
      int block = noted(at, CHUNK / 2);
      if (block >= 0) {
        assertThat(block).isEqualTo(at / (16 * CHUNK) + 1);
        asked.add(block);
      }
    }
    assertThat(asked).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aLargeReadThatIsCutAtTheEndOfABlockIsNoScan() {
    assertThat(ahead.behind(8 * CHUNK, 30 * CHUNK, GEOMETRY)).isZero();
    assertThat(ahead.noted(8 * CHUNK, 30 * CHUNK, 8 * CHUNK, GEOMETRY)).isEqualTo(-1);
    assertThat(ahead.behind(16 * CHUNK, 22 * CHUNK, GEOMETRY)).isZero();
    assertThat(ahead.noted(16 * CHUNK, 22 * CHUNK, 16 * CHUNK, GEOMETRY)).isEqualTo(-1);
    assertThat(ahead.behind(32 * CHUNK, 6 * CHUNK, GEOMETRY)).isZero();
    assertThat(ahead.noted(32 * CHUNK, 6 * CHUNK, 6 * CHUNK, GEOMETRY)).isEqualTo(-1);
    assertThat(behind(38 * CHUNK)).as("who goes on behind it scans").isEqualTo(16 * CHUNK);
  }
}
