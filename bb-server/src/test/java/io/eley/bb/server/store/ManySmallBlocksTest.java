package io.eley.bb.server.store;

import static io.eley.bb.server.store.StoreFixture.GEOMETRY;
import static io.eley.bb.server.store.StoreFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More small files than the heap has room for, on a RAM-disk that has room for all of them. */
class ManySmallBlocksTest {
  private static final int FIT = 40;
  private static final int FILES = 100;
  private static final long CAPACITY = 1 << 20;

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
}
