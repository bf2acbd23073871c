package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Split;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The splits of one stage attempt, in the order in which its tasks start. Not thread-safe. */
final class StagePlan {
  /** Ended splits are forgotten when they are this part: each other one is moved as often. */
  private static final int PART_ENDED = 64;

  private final SplitBlocks cutter;
  private final Map<String, FileVersion> versions = new HashMap<>();

  /** How many slices of {@link #splits} read a file. */
  private final Map<String, Integer> readers = new HashMap<>();

  private final List<PlannedSplit> splits = new ArrayList<>();

  /** Which of {@link #splits} have ended. */
  private final BitSet over = new BitSet();

  /** Partitions that have ended, and whose splits are not known yet. */
  private final Set<Integer> early = new HashSet<>();

  private final ReadShare share = new ReadShare();

  /** Index of the first split that may be unfinished: all splits before it have ended. */
  private int oldest;

  /** Ended splits that are not in {@link #splits} any more. */
  private int forgotten;

  private long bytes = PlanSize.STAGE;

  StagePlan(SplitBlocks cutter) {
    this.cutter = cutter;
  }

  /**
   * Adds splits as long as they fit. One that is known and has ended runs again. Those that read
   * the same files in another version are planned anew. What ends needs no room any more, or the
   * window of a plan that is full would stand still.
   *
   * @param room how many bytes of the heap they may take
   * @return how many of the first are known now; only the others may be added again, for one of
   *     these that has ended would run again
   */
  int add(List<Split> more, Map<String, FileVersion> files, long room) {
    long before = bytes;
    for (int known = 0; known < more.size(); known++) {
      Split own = learn(more.get(known), files);
      int index = index(own.partition());
      if (index < 0 && bytes - before + cutter.bytes(own, versions) <= room) {
        insert(-1 - index, cutter.of(own, versions));
        continue;
      }
      forgetFiles(own);
      if (index < 0) {
        return known;
      }
      runsAgain(index);
    }
    return more.size();
  }

  /** Learns the versions of a split's files; returns it with the paths that these have. */
  private Split learn(Split split, Map<String, FileVersion> files) {
    split.slices().forEach(slice -> learn(files.get(slice.path())));
    Split own = withSharedPaths(split);
    own.slices().forEach(slice -> readers.merge(slice.path(), 1, Integer::sum));
    return own;
  }

  /** Forgets the files of a split that nobody else reads. */
  private void forgetFiles(Split split) {
    for (FileSlice slice : split.slices()) {
      int left = readers.getOrDefault(slice.path(), 0) - 1;
      if (left > 0) {
        readers.put(slice.path(), left);
      } else {
        readers.remove(slice.path());
        versions.remove(slice.path());
      }
    }
  }

  private void runsAgain(int index) {
    if (over.get(index)) {
      over.clear(index);
      oldest = Math.min(oldest, index);
    }
  }

  private void insert(int index, PlannedSplit planned) {
    bytes += cutter.bytes(planned);
    BitSet behind = over.get(index, splits.size());
    over.clear(index, splits.size());
    behind.stream().forEach(i -> over.set(index + 1 + i));
    splits.add(index, planned);
    if (early.remove(planned.split().partition())) {
      bytes -= PlanSize.ENDED;
      over.set(index);
    } else {
      oldest = Math.min(oldest, index);
    }
  }

  /** The same with the versions' own paths: a message has brought copies of them. */
  private Split withSharedPaths(Split split) {
    var slices = split.slices().stream().map(this::withSharedPath).toList();
    return new Split(split.partition(), slices, split.exact());
  }

  private FileSlice withSharedPath(FileSlice slice) {
    FileVersion file = versions.get(slice.path());
    return file == null ? slice : new FileSlice(file.path(), slice.range());
  }

  private void learn(@Nullable FileVersion file) {
    if (file != null && !replace(file)) {
      versions.put(file.path(), file);
    }
  }

  /** What this plan takes of the heap, see {@link PlanSize}. */
  long bytes() {
    return bytes;
  }

  /** Plans the splits of a file anew, with its new version; returns whether there were any. */
  boolean replace(FileVersion file) {
    if (!versions.containsKey(file.path()) || file.equals(versions.put(file.path(), file))) {
      return false;
    }
    splits.replaceAll(p -> reads(p.split(), file.path()) ? again(p) : p);
    return true;
  }

  private static boolean reads(Split split, String path) {
    return split.slices().stream().anyMatch(slice -> slice.path().equals(path));
  }

  /** The same split by the versions that are known now, which may have more blocks. */
  private PlannedSplit again(PlannedSplit before) {
    PlannedSplit after = cutter.of(before.split(), versions);
    bytes += cutter.bytes(after) - cutter.bytes(before);
    return after;
  }

  /**
   * Notes that a task has ended, which may be before its split is known: messages overtake. Only
   * then it takes room, and is forgotten where there is none: then a split that comes stays planned
   * until its stage ends.
   */
  void endTask(int partition, long room) {
    int index = index(partition);
    if (index >= 0) {
      over.set(index);
    } else if (room >= PlanSize.ENDED && early.add(partition)) {
      bytes += PlanSize.ENDED;
    }
  }

  /**
   * Forgets what tasks that have ended were to read, and gives its room back. The split of one that
   * runs again has to come with that news; what is read behind an end is not compared any more. A
   * few of many stay, so that this costs what it frees, however often it is asked for: who does not
   * find room asks again and again.
   */
  void forgetEnded() {
    int ended = over.cardinality();
    if (ended == 0 || (long) ended * PART_ENDED < splits.size()) {
      return;
    }
    var left = new ArrayList<PlannedSplit>(splits.size() - ended);
    for (int i = 0; i < splits.size(); i++) {
      PlannedSplit planned = splits.get(i);
      if (over.get(i)) {
        bytes -= cutter.bytes(planned);
        forgetFiles(planned.split());
      } else {
        left.add(planned);
      }
    }
    forgotten += ended;
    splits.clear();
    splits.addAll(left);
    over.clear();
    oldest = 0;
  }

  /** Plans nothing until a task has read what was planned for it. */
  void makeTentative() {
    share.makeTentative();
  }

  /** Why nothing is planned for the tasks that have not ended; empty when it is. */
  Optional<BlockFacts.Unread> unread() {
    return share.reason();
  }

  /**
   * Notes what a task has read. What is not planned is not looked at: splits of blocks reach as far
   * as their blocks, and it is what was planned that may be too much.
   *
   * @param read by the task, in any order
   * @param present the pages of a block that are in RAM at its node
   * @return bytes that are in RAM of what was planned for the task, and that it did not read
   */
  long noteRead(int partition, List<FileSlice> read, Function<BlockId, Optional<PageSet>> present) {
    int index = index(partition);
    if (index < 0) {
      return 0;
    }
    Split split = splits.get(index).split();
    Map<BlockId, BitSet> touched = cutter.touched(read, versions);
    long plannedBytes = 0;
    long unreadBytes = 0;
    long inRam = 0;
    for (var planned : cutter.touched(split.slices(), versions).entrySet()) {
      BlockId block = planned.getKey();
      BitSet unread = planned.getValue();
      plannedBytes += cutter.bytes(block, unread);
      unread.andNot(touched.getOrDefault(block, new BitSet()));
      unreadBytes += cutter.bytes(block, unread);
      inRam +=
          present
              .apply(block)
              .map(pages -> cutter.bytes(block, cutter.common(block, unread, pages)))
              .orElse(0L);
    }
    share.note(plannedBytes, plannedBytes - unreadBytes);
    return inRam;
  }

  /** Where a split is, or as {@link java.util.Collections#binarySearch} says where it would be. */
  private int index(int partition) {
    int low = 0;
    int high = splits.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = splits.get(middle).split().partition();
      if (found == partition) {
        return middle;
      }
      low = found < partition ? middle + 1 : low;
      high = found < partition ? high : middle - 1;
    }
    return -1 - low;
  }

  /**
   * Offers the unfinished splits to a window until it is complete. Nothing is ordered for them when
   * tasks of this stage do not read what is planned for them.
   */
  void offerTo(Window window) {
    oldest = Math.min(over.nextClearBit(oldest), splits.size());
    ReadShare.Trust trust = share.trust();
    for (int i = oldest; i < splits.size() && !window.complete(); i++) {
      if (!over.get(i)) {
        window.offer(splits.get(i), trust);
      }
    }
  }

  /** Visits the splits in order, with how many unfinished ones come before each. */
  void forEach(Visitor visitor) {
    int ahead = 0;
    for (int i = 0; i < splits.size(); i++) {
      visitor.split(splits.get(i), over.get(i), ahead);
      ahead += over.get(i) ? 0 : 1;
    }
  }

  /** Receives the splits of a stage one by one. */
  interface Visitor {
    void split(PlannedSplit planned, boolean ended, int ahead);
  }

  int plannedSplits() {
    return splits.size() + forgotten;
  }

  /** Bytes of the unfinished splits. A plain loop, since it runs every second for each stage. */
  long unfinishedBytes() {
    long bytes = 0;
    for (int i = oldest; i < splits.size(); i++) {
      if (!over.get(i)) {
        for (FileSlice slice : splits.get(i).split().slices()) {
          bytes += slice.range().length();
        }
      }
    }
    return bytes;
  }

  int endedSplits() {
    return over.cardinality() + forgotten;
  }
}
