package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.ReadCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What moved past the buffer, cut at the begins and ends of phases. */
class PastReadsTest {
  private static final long SECOND = 1_000_000_000L;

  private static PastRead read(long bytes, long from, long to) {
    return new PastRead(ReadCause.FALLBACK, bytes, from, to);
  }

  /** A hundred bytes between 10 and 20, one every tenth. */
  @ParameterizedTest
  @CsvSource({
    "0, 10, 0", // it ends where the read begins
    "20, 30, 0", // it begins where the read ends
    "0, 30, 100",
    "10, 20, 100",
    "12, 15, 30",
    "0, 11, 10",
    "19, 40, 10",
    "-5, 5, 0",
    "21, 25, 0"
  })
  void itsBytesMoveEvenly(long begin, long end, double bytes) {
    assertThat(read(100, 10, 20).between(begin, end)).isEqualTo(bytes);
  }

  /** A moment belongs to what it ends, as a phase's last byte does. */
  @ParameterizedTest
  @CsvSource({"9, 10, 7", "10, 11, 0", "5, 9, 0", "0, 20, 7"})
  void whatMovedAtOneMomentIsInOnePlace(long begin, long end, double bytes) {
    assertThat(read(7, 10, 10).between(begin, end)).isEqualTo(bytes);
  }

  @Test
  void neitherBytesNorTimeRunBackwards() {
    assertThatThrownBy(() -> read(-1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> read(1, 2, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(read(0, 1, 1).bytes()).isZero();
  }

  /** However a time is cut into phases, what moved in them is what moved. */
  @Test
  void nothingIsLostOrCountedTwiceWhereTimeIsCut() {
    long seed = Long.getLong("eley.test.base", 25);
    System.out.println("seed " + seed);
    var random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      long from = random.nextInt(1000);
      PastRead read = read(random.nextInt(1 << 20), from, from + random.nextInt(1000));
      long cut = -10;
      double sum = 0;
      while (cut < 2100) {
        long next = cut + 1 + random.nextInt(300);
        sum += read.between(cut, next);
        cut = next;
      }
      assertThat(sum).as(read.toString()).isCloseTo((double) read.bytes(), within(1e-3));
    }
  }

  @Test
  void sumsAreByCauseAndSinceAMoment() {
    var past = new PastReads();
    past.add(read(100, 0, 10));
    past.add(new PastRead(ReadCause.DIRECT, 40, 5, 15));
    past.add(read(60, 12, 18));
    assertThat(past.since(-1)).isEqualTo(Map.of(ReadCause.FALLBACK, 160.0, ReadCause.DIRECT, 40.0));
    assertThat(past.since(5)).isEqualTo(Map.of(ReadCause.FALLBACK, 110.0, ReadCause.DIRECT, 40.0));
    assertThat(past.since(15)).isEqualTo(Map.of(ReadCause.FALLBACK, 30.0, ReadCause.DIRECT, 0.0));
  }

  @Test
  void whatIsOlderThanAnyPhaseThatIsStillLookedForIsForgotten() {
    var past = new PastReads();
    past.add(read(1, 0, 0));
    past.add(read(2, SECOND, SECOND));
    past.add(read(4, 30 * SECOND, 30 * SECOND)); // the first is 30 s old, and stays
    assertThat(past.since(-1)).isEqualTo(Map.of(ReadCause.FALLBACK, 7.0));
    past.add(read(8, 30 * SECOND + 1, 30 * SECOND + 1));
    assertThat(past.since(-1)).isEqualTo(Map.of(ReadCause.FALLBACK, 14.0));
  }

  @Test
  void reportsAreCompleteWhenTheirTimeIsOverOrNobodyReports() {
    var past = new PastReads();
    assertThat(past.complete(0, 0)).as("nobody reads past the buffer").isTrue();
    past.add(read(1, 0, SECOND));
    List<Boolean> answers = new ArrayList<>();
    for (long after : new long[] {0, SECOND / 2 - 1, SECOND / 2}) {
      answers.add(past.complete(2 * SECOND, 2 * SECOND + after));
      past.add(read(1, 2 * SECOND + after, 2 * SECOND + after)); // they go on
    }
    assertThat(answers).as("the first: silent for a second").containsExactly(true, false, true);
    assertThat(past.complete(3 * SECOND, 3 * SECOND)).as("silent for half of one").isFalse();
  }
}
