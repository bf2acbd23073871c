package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.server.fetch.WantedPages.Piece;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WantedPagesTest {
  private static final int PAGE = 16 << 10;
  private static final int CHUNK = 4 * PAGE;

  private static WantedPages of(int index, int chunks) {
    var geometry = new BlockGeometry(chunks * CHUNK, CHUNK);
    var file = new FileVersion("/f", Long.MAX_VALUE / 2, 1);
    return new WantedPages(geometry, new BlockId(file, index));
  }

  /** The only block of a file of so many bytes. */
  private static WantedPages ofFile(int bytes) {
    var geometry = new BlockGeometry(8 * CHUNK, CHUNK);
    return new WantedPages(geometry, new BlockId(new FileVersion("/f", bytes, 1), 0));
  }

  private static List<Piece> drain(WantedPages wanted, BitSet there) {
    return drain(wanted, there, 1).stream().flatMap(List::stream).toList();
  }

  /** All turns, of so many pieces at most. */
  private static List<List<Piece>> drain(WantedPages wanted, BitSet there, int most) {
    var turns = new ArrayList<List<Piece>>();
    for (var next = wanted.next(there, most); !next.isEmpty(); next = wanted.next(there, most)) {
      assertThat(next).hasSizeLessThanOrEqualTo(most);
      assertThat(bytes(next)).as("a chunk's bytes at most").isLessThanOrEqualTo(CHUNK);
      for (Piece piece : next) {
        assertThat(piece.offset() % PAGE).isZero();
        assertThat(piece.offset() / CHUNK)
            .as("a piece lies in one chunk")
            .isEqualTo((piece.offset() + piece.length() - 1) / CHUNK);
        int end = (piece.offset() + piece.length() + PAGE - 1) / PAGE;
        assertThat(there.get(piece.offset() / PAGE, end).cardinality()).as("each once").isZero();
        there.set(piece.offset() / PAGE, end);
      }
      turns.add(next);
    }
    return turns;
  }

  private static int bytes(List<Piece> pieces) {
    return pieces.stream().mapToInt(Piece::length).sum();
  }

  private static List<Integer> chunks(List<Piece> pieces) {
    return pieces.stream().map(piece -> piece.offset() / CHUNK).toList();
  }

  private static BitSet none() {
    return new BitSet();
  }

  @Test
  void readsEachChunkOfAWholeBlockOnceWhateverItsIndex() {
    for (int index : new int[] {0, 1, 5, 1000, Integer.MAX_VALUE}) {
      for (int chunks : new int[] {1, 2, 7, 16}) {
        WantedPages wanted = of(index, chunks);
        wanted.add(new Want.Whole());
        List<Piece> pieces = drain(wanted, none());
        assertThat(chunks(pieces))
            .containsExactlyInAnyOrderElementsOf(IntStream.range(0, chunks).boxed().toList());
        assertThat(pieces).allMatch(piece -> piece.length() == CHUNK);
      }
    }
  }

  @Test
  void neighbouringBlocksBeginOnDifferentServers() {
    for (int servers = 2; servers <= 22; servers++) {
      var hit = new java.util.HashSet<Integer>();
      for (int block = 0; block < Math.min(4, servers); block++) {
        WantedPages wanted = of(block, 16);
        wanted.add(new Want.Whole());
        hit.add((16 * block + wanted.next(none(), 1).get(0).offset() / CHUNK) % servers);
      }
      // Blocks 0 to 2 are 23 chunks apart; block 3 has wrapped around its end.
      assertThat(hit).as("%d servers", servers).hasSizeGreaterThanOrEqualTo(Math.min(3, servers));
    }
  }

  @Test
  void goesToTheChunkThatIsWaitedForAndOnFromThere() {
    WantedPages wanted = of(0, 8);
    wanted.add(new Want.Whole());
    var there = none();
    assertThat(wanted.next(there, 1)).containsExactly(new Piece(0, CHUNK));
    there.set(0, 4);
    for (int chunk : new int[] {6, 3, 6}) {
      wanted.add(new Want.Bytes(chunk * CHUNK + PAGE + 5, 10, 0));
    }
    assertThat(chunks(drain(wanted, there))).containsExactly(6, 3, 4, 5, 7, 1, 2);
  }

  @Test
  void onlyThePagesOfTheBytesAreReadAndThoseAheadAfterThem() {
    WantedPages wanted = of(0, 8);
    wanted.add(new Want.Bytes(2 * CHUNK + PAGE + 7, PAGE, 0));
    assertThat(wanted.nextBytes(none(), 1)).isEqualTo(2 * PAGE);
    assertThat(drain(wanted, none())).containsExactly(new Piece(2 * CHUNK + PAGE, 2 * PAGE));
    var there = none();
    wanted = of(0, 8);
    wanted.add(new Want.Bytes(7 * CHUNK + 2 * PAGE, 1, Integer.MAX_VALUE));
    assertThat(drain(wanted, there)).containsExactly(new Piece(7 * CHUNK + 2 * PAGE, 2 * PAGE));
    assertThat(wanted.nextBytes(there, 1)).isZero();
  }

  @Test
  void theLastPageMayBeShort() {
    WantedPages wanted = ofFile(CHUNK + PAGE + 5);
    wanted.add(new Want.Whole());
    assertThat(drain(wanted, none()))
        .containsExactlyInAnyOrder(new Piece(0, CHUNK), new Piece(CHUNK, PAGE + 5));
  }

  @Test
  void whatIsThereIsNotReadAgain() {
    WantedPages wanted = of(0, 3);
    wanted.add(new Want.Whole());
    var there = none();
    there.set(4, 8);
    there.set(9);
    wanted.add(new Want.Bytes(CHUNK, 1, 0));
    assertThat(drain(wanted, there))
        .containsExactly(
            new Piece(0, CHUNK),
            new Piece(2 * CHUNK, PAGE),
            new Piece(2 * CHUNK + 2 * PAGE, 2 * PAGE));
  }

  @Test
  void thePieceThatEndsWhatIsWantedOrWaitedForIsKnown() {
    WantedPages wanted = of(0, 2);
    wanted.add(new Want.Part(pages(0)));
    wanted.add(new Want.Bytes(CHUNK, PAGE + 1, PAGE));
    assertThat(wanted.complete(List.of(new Piece(0, PAGE)), none())).isFalse();
    assertThat(wanted.complete(List.of(new Piece(CHUNK, PAGE)), none())).isFalse();
    assertThat(wanted.complete(List.of(new Piece(CHUNK, 2 * PAGE)), none()))
        .as("who waits is given it, and what is ahead is missing")
        .isTrue();
    assertThat(wanted.complete(List.of(new Piece(0, PAGE)), pages(4, 5, 6))).isTrue();
    var there = pages(4, 5, 6);
    assertThat(wanted.satisfied(there)).isFalse();
    there.set(0);
    assertThat(wanted.satisfied(there)).isTrue();
  }

  private static BitSet pages(int... which) {
    return IntStream.of(which).collect(BitSet::new, BitSet::set, BitSet::or);
  }

  @Test
  void runsGoTogetherUpToAChunksBytes() {
    WantedPages wanted = of(0, 8);
    wanted.add(new Want.Part(pages(1, 5, 6, 9, 13, 17)));
    assertThat(wanted.nextBytes(none(), 8)).isEqualTo(4 * PAGE);
    assertThat(drain(wanted, none(), 8))
        .containsExactly(
            List.of(
                new Piece(PAGE, PAGE), new Piece(5 * PAGE, 2 * PAGE), new Piece(9 * PAGE, PAGE)),
            List.of(new Piece(13 * PAGE, PAGE), new Piece(17 * PAGE, PAGE)));
    wanted = of(0, 8);
    wanted.add(new Want.Part(pages(1, 5, 9, 13)));
    assertThat(drain(wanted, none(), 3)).extracting(List::size).containsExactly(3, 1);
  }

  @Test
  void aWholeChunkGoesAlone() {
    WantedPages wanted = of(0, 3);
    wanted.add(new Want.Whole());
    assertThat(drain(wanted, none(), 8)).extracting(List::size).containsExactly(1, 1, 1);
  }

  @Test
  void whatIsWaitedForGoesWithoutWhatIsNot() {
    WantedPages wanted = of(0, 8);
    wanted.add(new Want.Part(pages(1, 5, 20, 30)));
    wanted.add(new Want.Bytes(20 * PAGE, 1, 0));
    wanted.add(new Want.Bytes(5 * PAGE, 1, 0));
    assertThat(drain(wanted, none(), 8))
        .containsExactly(
            List.of(new Piece(20 * PAGE, PAGE), new Piece(5 * PAGE, PAGE)),
            List.of(new Piece(30 * PAGE, PAGE), new Piece(PAGE, PAGE)));
  }

  @Test
  void somePiecesThatEndWhatIsWantedAreKnown() {
    WantedPages wanted = of(0, 2);
    wanted.add(new Want.Part(pages(1, 5, 7)));
    List<Piece> two = wanted.next(none(), 2);
    assertThat(wanted.complete(two, none())).isFalse();
    assertThat(wanted.complete(two, pages(7))).isTrue();
  }

  @Test
  void aPartIsToldOfAndBytesAreNot() {
    WantedPages wanted = of(0, 2);
    wanted.add(new Want.Bytes(0, 1, 0));
    assertThat(wanted.ordered()).isFalse();
    var pages = new BitSet();
    pages.set(3, 5);
    wanted.add(new Want.Part(pages));
    assertThat(wanted.ordered()).isTrue();
    assertThat(drain(wanted, none()))
        .containsExactlyInAnyOrder(
            new Piece(0, PAGE), new Piece(3 * PAGE, PAGE), new Piece(CHUNK, PAGE));
  }

  /** The seeds of this run: a given one ({@code -Deley.test.seed}) to replay, or 200 new ones. */
  static LongStream seeds() {
    Long replay = Long.getLong("eley.test.seed");
    return replay != null
        ? LongStream.of(replay)
        : new Random(Long.getLong("eley.test.base", System.nanoTime())).longs(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void exactlyWhatIsWantedIsReadOnce(long seed) {
    var random = new Random(seed);
    WantedPages wanted = of(3, 16);
    var expected = new BitSet();
    int firstChunk = -1;
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      int offset = random.nextInt(16 * CHUNK);
      int length = 1 + random.nextInt(Math.min(3 * CHUNK, 16 * CHUNK - offset));
      int ahead = random.nextBoolean() ? 0 : random.nextInt(2 * CHUNK);
      wanted.add(new Want.Bytes(offset, length, ahead));
      int end = Math.min(16 * CHUNK, offset + length + ahead);
      expected.set(offset / PAGE, (end + PAGE - 1) / PAGE);
      firstChunk = firstChunk < 0 ? offset / CHUNK : firstChunk;
    }
    var there = none();
    int most = 1 + random.nextInt(8);
    List<Piece> pieces = drain(wanted, there, most).stream().flatMap(List::stream).toList();
    assertThat(there).isEqualTo(expected);
    assertThat(pieces.get(0).offset() / CHUNK).as("who waits longest").isEqualTo(firstChunk);
    assertThat(wanted.satisfied(there)).isTrue();
  }
}
