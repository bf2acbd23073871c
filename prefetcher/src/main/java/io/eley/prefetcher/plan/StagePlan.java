package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The splits of one stage attempt, in the order in which its tasks start. Not thread-safe. */
final class StagePlan {
  private record Planned(Split split, List<BlockId> blocks) {}

  private final SplitBlocks cutter;
  private final Map<String, FileVersion> versions = new HashMap<>();
  private final List<Planned> splits = new ArrayList<>();
  private final Set<Integer> ended = new HashSet<>();

  /** All splits before this one have ended. */
  private int oldest;

  StagePlan(SplitBlocks cutter) {
    this.cutter = cutter;
  }

  void add(List<Split> more, Map<String, FileVersion> files) {
    versions.putAll(files);
    for (Split split : more) {
      splits.add(new Planned(split, cutter.of(split, versions)));
    }
  }

  /** Plans the splits of a file anew; says whether there were any. */
  boolean replace(FileVersion file) {
    if (!versions.containsKey(file.path()) || file.equals(versions.put(file.path(), file))) {
      return false;
    }
    splits.replaceAll(
        p ->
            p.split().slices().stream().anyMatch(s -> s.path().equals(file.path()))
                ? new Planned(p.split(), cutter.of(p.split(), versions))
                : p);
    return true;
  }

  /** A task may end before its split is known here: messages about a stage overtake its plan. */
  void ended(int partition) {
    ended.add(partition);
  }

  /**
   * Gives the blocks of the first unfinished splits, and how many splits these were.
   *
   * @param most splits to take
   */
  int window(int most, Consumer<BlockId> each) {
    while (oldest < splits.size() && ended(splits.get(oldest))) {
      oldest++;
    }
    int taken = 0;
    for (int i = oldest; i < splits.size() && taken < most; i++) {
      Planned planned = splits.get(i);
      if (!ended(planned)) {
        planned.blocks().forEach(each);
        taken++;
      }
    }
    return taken;
  }

  private boolean ended(Planned planned) {
    return ended.contains(planned.split().partition());
  }

  /** Tells each split with its blocks, whether it has ended, and how many before it have not. */
  void each(Visitor visitor) {
    int ahead = 0;
    for (Planned planned : splits) {
      boolean over = ended(planned);
      visitor.split(planned.split.partition(), planned.blocks, over, ahead);
      ahead += over ? 0 : 1;
    }
  }

  /** Hears of splits. */
  interface Visitor {
    void split(int partition, List<BlockId> blocks, boolean ended, int ahead);
  }

  int plannedSplits() {
    return splits.size();
  }

  /** Asked every second for each stage: a plain loop, past those known to have ended. */
  long unfinishedBytes() {
    long bytes = 0;
    for (int i = oldest; i < splits.size(); i++) {
      Planned planned = splits.get(i);
      if (!ended(planned)) {
        for (FileSlice slice : planned.split().slices()) {
          bytes += slice.range().length();
        }
      }
    }
    return bytes;
  }

  int endedSplits() {
    int count = oldest;
    for (int i = oldest; i < splits.size(); i++) {
      count += ended(splits.get(i)) ? 1 : 0;
    }
    return count;
  }
}
