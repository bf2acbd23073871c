package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Split;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds what a split's task reads. A task reads to the end of the record that its split's last byte
 * belongs to, so a slice is taken to reach a little further than it says, but never past the end of
 * the file, and to need all of each block that it touches.
 *
 * <p>With blocks of 16 MiB and an overrun of 64 KiB the slice {@code [0, 32 MiB)} of a file of 40
 * MiB needs the blocks 0, 1 and, for the end of its last record, 2; of a file of 32 MiB it needs 0
 * and 1.
 *
 * <p>Of an exact split only the pages are needed that its slices touch. With pages of 16 KiB the
 * slice {@code [20,000, 16 MiB + 1)} needs the pages 1 to 1,023 of block 0, and page 0 of block 1.
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

  /** What the split's task reads; of files without a known version that is nothing. */
  PlannedSplit of(Split split, Map<String, FileVersion> versions) {
    return split.exact() ? pages(split, versions) : whole(split, versions);
  }

  private PlannedSplit whole(Split split, Map<String, FileVersion> versions) {
    var blocks = new LinkedHashSet<BlockId>();
    for (FileSlice slice : split.slices()) {
      FileVersion file = versions.get(slice.path());
      if (file != null) {
        addBlocks(blocks, slice, file);
      }
    }
    return new PlannedSplit(split, List.copyOf(blocks), List.of());
  }

  private void addBlocks(Set<BlockId> blocks, FileSlice slice, FileVersion file) {
    long offset = slice.range().offset();
    long end = end(slice, file, overrunBytes);
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

  private PlannedSplit pages(Split split, Map<String, FileVersion> versions) {
    var bits = touched(split.slices(), versions);
    List<PageSet> pages = bits.entrySet().stream().map(e -> set(e.getKey(), e.getValue())).toList();
    return new PlannedSplit(split, List.copyOf(bits.keySet()), pages);
  }

  /** The pages that slices touch; of files without a known version none. The caller's own. */
  Map<BlockId, BitSet> touched(List<FileSlice> slices, Map<String, FileVersion> versions) {
    var bits = new LinkedHashMap<BlockId, BitSet>();
    for (FileSlice slice : slices) {
      FileVersion file = versions.get(slice.path());
      if (file != null) {
        addPages(bits, slice, file);
      }
    }
    return bits;
  }

  /** Bytes of pages of a block; every page has the same but the last one of a file. */
  long bytes(BlockId block, BitSet pages) {
    return pages.isEmpty() ? 0 : geometry.length(new BlockPart(block, PageSet.of(pages)));
  }

  /** The pages of a block that are in a set, too. */
  BitSet common(BlockId block, BitSet pages, PageSet others) {
    BitSet both = others.bits(geometry.pageCount(geometry.length(block)));
    both.and(pages);
    return both;
  }

  private PageSet set(BlockId block, BitSet bits) {
    int count = geometry.pageCount(geometry.length(block));
    return bits.cardinality() == count ? PageSet.ALL : PageSet.of(bits);
  }

  private void addPages(Map<BlockId, BitSet> pages, FileSlice slice, FileVersion file) {
    long end = end(slice, file, 0);
    long at = slice.range().offset();
    while (at < end) {
      var block = new BlockId(file, geometry.blockIndex(at));
      if (pages.size() == MOST_BLOCKS && !pages.containsKey(block)) {
        return;
      }
      long first = (long) block.index() * geometry.blockSize();
      long stop = Math.min(end, first + geometry.blockSize());
      int page = geometry.pageSize();
      pages
          .computeIfAbsent(block, b -> new BitSet())
          .set((int) ((at - first) / page), (int) ((stop - first + page - 1) / page));
      at = stop;
    }
  }

  /** What {@link #of} makes takes at most so many bytes of the heap; found without making it. */
  long bytes(Split split, Map<String, FileVersion> versions) {
    return bytes(split, most(split, versions));
  }

  /** The same of a split whose blocks are known. */
  long bytes(PlannedSplit planned) {
    return bytes(planned.split(), planned.blocks().size());
  }

  private long bytes(Split split, int blocks) {
    if (!split.exact()) {
      return PlanSize.of(split, blocks);
    }
    // All blocks but a slice's first and last one are needed whole.
    long parts = Math.min(blocks, 2L * split.slices().size());
    return PlanSize.of(split, blocks)
        + parts * PlanSize.ofPages(geometry.pageCount(geometry.blockSize()));
  }

  /** How many blocks {@link #of} would make at most, without making any. */
  private int most(Split split, Map<String, FileVersion> versions) {
    long overrun = split.exact() ? 0 : overrunBytes;
    long blocks = 0;
    for (FileSlice slice : split.slices()) {
      FileVersion file = versions.get(slice.path());
      if (file != null && slice.range().length() > 0) {
        blocks += blocks(slice.range().offset(), end(slice, file, overrun));
      }
    }
    return (int) Math.min(MOST_BLOCKS, blocks);
  }

  private long blocks(long offset, long end) {
    int size = geometry.blockSize();
    return offset < end ? (end - 1) / size - offset / size + 1 : 0;
  }

  private static long end(FileSlice slice, FileVersion file, long overrun) {
    return Math.min(file.length(), saturatedSum(slice.range().end(), overrun));
  }

  private static long saturatedSum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
