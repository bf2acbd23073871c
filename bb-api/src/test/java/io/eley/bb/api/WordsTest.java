package io.eley.bb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.origin.OriginStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the words refuse, and the little that they compute. */
class WordsTest {
  @Test
  void rangesOverlapWhenTheyShareAByte() {
    for (int a = 0; a < 6; a++) {
      for (int b = 0; b < 6; b++) {
        for (int lengthOfA = 0; lengthOfA < 5; lengthOfA++) {
          for (int lengthOfB = 0; lengthOfB < 5; lengthOfB++) {
            boolean shared = false;
            for (int at = a; at < a + lengthOfA; at++) {
              shared |= at >= b && at < b + lengthOfB;
            }
            var first = new ByteRange(a, lengthOfA);
            var second = new ByteRange(b, lengthOfB);
            assertThat(first.overlaps(second)).as("%s, %s", first, second).isEqualTo(shared);
            assertThat(second.overlaps(first)).as("%s, %s", second, first).isEqualTo(shared);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "0, -1", "1, 9223372036854775807", "9223372036854775807, 1"})
  void aRangeNeitherBeginsNorEndsOutsideOfWhatLongsCount(long offset, long length) {
    assertThatThrownBy(() -> new ByteRange(offset, length))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(offset))
        .hasMessageContaining(String.valueOf(length));
  }

  @Test
  void theLargestRangeEndsAtTheLargestLong() {
    assertThat(new ByteRange(1, Long.MAX_VALUE - 1).end()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aViewIsInTheOrderOfTheIdsWhateverOrderItWasToldIn() {
    var view = view(1, node("b"), node("c"), node("a"));
    assertThat(view.nodes()).extracting(n -> n.id().value()).containsExactly("a", "b", "c");
    assertThat(view).isEqualTo(view(1, node("c"), node("a"), node("b")));
  }

  @Test
  void aViewWithTwoNodesOfOneNameOrANegativeEpochIsRefused() {
    assertThatThrownBy(() -> view(1, node("a"), node("b"), node("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two nodes are called a");
    assertThatThrownBy(() -> view(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(view(0).nodes()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aModeIsFoundByItsLabelInAnyLetterCase(BufferMode mode) {
    assertThat(BufferMode.of(mode.label())).isEqualTo(mode);
    assertThat(BufferMode.of(mode.label().toUpperCase(java.util.Locale.ROOT))).isEqualTo(mode);
  }

  @Test
  void anUnknownModeIsToldWhichThereAre() {
    assertThatThrownBy(() -> BufferMode.of("Hope"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no mode 'Hope'; there are NaiveBB, NoAction, FullDelay, Adaptive");
  }

  @ParameterizedTest
  @CsvSource({"0, 0, true", "0, 1, true", "1, 0, true", "1, 1, false"})
  void aLaneIsClosedWhenEitherLimitIsZero(long rate, int fetches, boolean closed) {
    assertThat(new Permit.Lane(rate, fetches).closed()).isEqualTo(closed);
    assertThat(Permit.Lane.OPEN.closed()).isFalse();
    assertThat(Permit.Lane.CLOSED.closed()).isTrue();
  }

  @Test
  void limitsAreNotNegativeAndAPermitLivesForSomeTime() {
    assertThatThrownBy(() -> new Permit.Lane(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Permit.Lane(1, -1)).isInstanceOf(IllegalArgumentException.class);
    for (var life : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThatThrownBy(() -> new Permit(1, Permit.Lane.OPEN, Permit.Lane.OPEN, life, ""))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatCode(() -> new Permit(1, Permit.Lane.OPEN, Permit.Lane.OPEN, Duration.ofNanos(1), ""))
        .doesNotThrowAnyException();
  }

  @Test
  void aTaskWaitsForDemandFallbackAndDirectReads() {
    assertThat(Arrays.stream(ReadCause.values()).filter(ReadCause::awaited))
        .containsExactly(ReadCause.DEMAND, ReadCause.FALLBACK, ReadCause.DIRECT, ReadCause.WRITE);
  }

  @Test
  void aSplitIsAsLongAsItsSlices() {
    var slices =
        List.of(
            new FileSlice("/a", new ByteRange(10, 5)),
            new FileSlice("/b", new ByteRange(0, 1L << 40)));
    assertThat(new Split(0, slices).length()).isEqualTo(5 + (1L << 40));
    assertThat(new Split(7, List.of()).length()).isZero();
    assertThat(new Split(7, slices).exact()).as("unless somebody says so").isFalse();
    assertThatThrownBy(() -> new Split(-1, slices)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"1, true", "128, true", "129, false", "0, false"})
  void anIdOfANodeHasUpTo128Characters(int length, boolean legal) {
    accepts(legal, () -> new NodeId("n".repeat(length)));
  }

  @ParameterizedTest
  @CsvSource({"1, true", "256, true", "257, false", "0, false"})
  void anApplicationsIdHasUpTo256Characters(int length, boolean legal) {
    accepts(legal, () -> new StageId("n".repeat(length), 1, 0));
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "65535, true", "65536, false", "-1, false"})
  void aPortIsOneOfTcp(int port, boolean legal) {
    accepts(legal, () -> new NodeAddress(new NodeId("a"), "h", port, ""));
  }

  @Test
  void whatStandsForNothingIsRefused() {
    accepts(false, () -> new NodeAddress(new NodeId("a"), " ", 1, ""));
    accepts(false, () -> new NodeId(" "));
    accepts(false, () -> new StageId(" ", 1, 0));
    accepts(false, () -> new BlockId(new FileVersion("/f", 1, 1), -1));
    accepts(false, () -> new FileVersion("/f", -1, 1));
    accepts(false, () -> new FileVersion("f", 1, 1));
    accepts(false, () -> new FileSlice("/f/", new ByteRange(0, 1)));
  }

  @ParameterizedTest
  @CsvSource({"0, 0, true", "1, 511, true", "-1, 0, false", "0, -1, false", "0, 512, false"})
  void attributesHaveALengthAndNinePermissionBits(long length, int permissions, boolean legal) {
    accepts(legal, () -> new OriginStatus("/f", false, length, 1, permissions, "", ""));
    accepts(false, () -> new OriginStatus("f", false, length, 1, permissions, "", ""));
  }

  @Test
  void textsNameWhatTheyStandFor() {
    assertThat(new BlockId(new FileVersion("/f", 9, 1234), 5)).hasToString("/f@1234+9#5");
    assertThat(new StageId("app-1", 3, 2)).hasToString("app-1/3.2");
  }

  private static void accepts(
      boolean legal, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    if (legal) {
      assertThatCode(call).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static NodeAddress node(String id) {
    return new NodeAddress(new NodeId(id), "h", 1, "");
  }

  private static ClusterView view(long epoch, NodeAddress... nodes) {
    return new ClusterView(epoch, BlockGeometry.DEFAULT, BufferMode.FULL_DELAY, List.of(nodes));
  }
}
