package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the blocks of a split. A task reads to the end of the record that its split's last byte
 * belongs to, so a slice is taken to reach a little further than it says, but never past the end of
 * the file.
 *
 * <p>With blocks of 16 MiB and an overrun of 64 KiB the slice {@code [0, 32 MiB)} of a file of 40
 * MiB needs the blocks 0, 1 and, for the end of its last record, 2; of a file of 32 MiB it needs 0
 * and 1.
 */
final class SplitBlocks {
  /** The most blocks of one split; what a task reads behind them is left to demand. */
  private static final int MOST_BLOCKS = 1 << 16;

  private final BlockGeometry geometry;
  private final long overrunBytes;

  SplitBlocks(PlanOptions options) {
    this.geometry = options.geometry();
    this.overrunBytes = options.overrunBytes();
  }

  /** The blocks in reading order, each once; files without a known version have none. */
  List<BlockId> of(Split split, Map<String, FileVersion> versions) {
    var blocks = new LinkedHashSet<BlockId>();
    for (FileSlice slice : split.slices()) {
      FileVersion file = versions.get(slice.path());
      if (file != null) {
        add(blocks, slice, file);
      }
    }
    return List.copyOf(blocks);
  }

  /** How many blocks {@link #of} would make at most, without making any. */
  int most(Split split, Map<String, FileVersion> versions) {
    long blocks = 0;
    for (FileSlice slice : split.slices()) {
      FileVersion file = versions.get(slice.path());
      if (file != null && slice.range().length() > 0) {
        long end = Math.min(file.length(), saturatedSum(slice.range().end(), overrunBytes));
        blocks += Math.max(0, end - slice.range().offset()) / geometry.blockSize() + 2;
      }
    }
    return (int) Math.min(MOST_BLOCKS, blocks);
  }

  private void add(Set<BlockId> blocks, FileSlice slice, FileVersion file) {
    long offset = slice.range().offset();
    long end = Math.min(file.length(), saturatedSum(slice.range().end(), overrunBytes));
    if (slice.range().length() == 0 || offset >= end) {
      return;
    }
    int last = geometry.blockIndex(end - 1);
    for (int index = geometry.blockIndex(offset);
        index <= last && blocks.size() < MOST_BLOCKS;
        index++) {
      blocks.add(new BlockId(file, index));
    }
  }

  private static long saturatedSum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
