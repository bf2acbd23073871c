package io.eley.bb.server.store;

import static io.eley.bb.server.store.StoreFixture.GEOMETRY;
import static io.eley.bb.server.store.StoreFixture.put;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.process.JavaCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More small files than the heap has room for, on a RAM-disk that has room for all of them. */
class ManySmallBlocksTest {
  private static final int FIT = 40;
  private static final int FILES = 100;
  private static final long CAPACITY = 1 << 20;

  /** Some 22 MiB of heap. */
  private static final int IN_PROCESS = 18_000;

  @TempDir private Path directory;

  private BlockStore open(int blocks) throws EleyException {
    long heap = blocks * Entry.heapOf(small(0), 1);
    return BlockStore.open(
        StoreDirectory.open(directory),
        GEOMETRY,
        new Budget(CAPACITY, heap),
        new FileOpener(),
        StoreListener.NONE);
  }

  private static BlockId small(int number) {
    return new BlockId(new FileVersion("/small/%04d".formatted(number), 100, 1), 0);
  }

  private static List<BlockId> small(int from, int end) {
    return IntStream.range(from, end).mapToObj(ManySmallBlocksTest::small).toList();
  }

  @Test
  void theLeastRecentlyUsedLeaveForOthers() throws Exception {
    try (var store = open(FIT)) {
      for (BlockId block : small(0, FILES)) {
        put(store, block);
      }
      assertThat(store.inventory()).containsExactlyInAnyOrderElementsOf(small(FILES - FIT, FILES));
      assertThat(store.evictedBlocks()).isEqualTo(FILES - FIT);
      assertThat(store.usedBytes()).as("what has left is given back").isEqualTo(FIT * 4096L);
    }
  }

  @Test
  void aPrefetchEvictsNothingThatIsPlannedAndSaysWhatIsShort() throws Exception {
    try (var store = open(FIT)) {
      for (BlockId block : small(0, FIT)) {
        put(store, block);
        assertThat(store.retain(block)).isTrue();
      }
      assertThatThrownBy(() -> store.tryCreate(small(FIT), ReadCause.PREFETCH, true))
          .hasMessageContaining("eley.node.heap");
      store.free(small(7, 8));
      put(store, small(FIT));
      assertThat(store.inventory()).doesNotContain(small(7)).contains(small(FIT)).hasSize(FIT);
    }
  }

  /** As where a node is started again with less: it would end each time it starts. */
  @Test
  void aRestartTakesInNoMoreThanFit() throws Exception {
    try (var store = open(FILES)) {
      for (BlockId block : small(0, FILES)) {
        put(store, block);
      }
      assertThat(store.blockCount()).isEqualTo(FILES);
    }
    try (var store = open(FIT)) {
      assertThat(store.blockCount()).isEqualTo(FIT);
      assertThat(store.usedBytes()).isEqualTo(FIT * 4096L);
      put(store, small(FILES));
      assertThat(store.blockCount()).isEqualTo(FIT);
    }
  }

  /**
   * What is counted is what it takes: a process with a heap that half of its files would fill
   * lives, and lives again on what it has left.
   */
  @Test
  @Timeout(300)
  void aSmallHeapLastsWithMoreFilesThanItHasRoomFor() throws Exception {
    int[] first = inASmallHeap(IN_PROCESS);
    assertThat(first[0]).isZero();
    assertThat(first[1]).isBetween(5_000, IN_PROCESS / 2);
    int[] second = inASmallHeap(500);
    assertThat(second[0]).as("found again").isEqualTo(first[1]);
    assertThat(second[1]).isEqualTo(first[1]);
  }

  /** How many blocks were found, and how many there were at last. */
  private int[] inASmallHeap(int files) throws Exception {
    List<String> command =
        JavaCommand.ofThisJvm()
            .heap("20m")
            .serialCollector()
            .options(List.of("-XX:+ExitOnOutOfMemoryError"))
            .classPathOfThisJvm()
            .run(SmallBlocksMain.class.getName(), List.of(directory.toString(), "" + files));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines()
        .reduce((before, last) -> last)
        .map(last -> Stream.of(last.split(" ")).mapToInt(Integer::parseInt).toArray())
        .orElseThrow();
  }
}
