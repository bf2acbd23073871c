package io.eley.spark.connector.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.spark.NarrowDependency;
import org.apache.spark.rdd.RDD;

/**
 * Finds what each task of a stage reads, from the stage's last RDD: for a partition, follow the
 * narrow dependencies down to the leaves and ask each leaf's partition for its files. A partition
 * of an RDD that the block managers hold is not walked further: its task will not read its input.
 * RDDs such as those of {@code map} have their parent's partitions, so only one without a parent is
 * a leaf. Where several ways lead to a partition it is looked at once: iterative programs join an
 * RDD with what was made of it, and each such step doubles the ways.
 *
 * <p>Uses classes that are private to Spark by Scala's rules and public in bytecode, with the same
 * signatures from 3.5 to 4.2; see {@link ScalaMethods} for what Scala's version changes. Not safe
 * for several threads.
 */
final class SplitWalk {
  private final CachedPartitions cached;
  private final Function<Path, java.util.Optional<String>> served;

  /**
   * A walk.
   *
   * @param cached which partitions need no input
   * @param served origin path of a file that Eley serves
   */
  SplitWalk(CachedPartitions cached, Function<Path, java.util.Optional<String>> served) {
    this.cached = cached;
    this.served = served;
  }

  /**
   * The inputs of these partitions of the RDD, in their order; partitions that read nothing of ours
   * have no parts.
   */
  List<TaskInput> inputs(RDD<?> rdd, int[] partitions) {
    var leaves = new LeafInput();
    var held = new HashMap<Integer, BitSet>();
    var inputs = new ArrayList<TaskInput>(partitions.length);
    for (int partition : partitions) {
      var found = new ArrayList<LeafInput.Piece>();
      walk(
          rdd,
          partition,
          new HashSet<>(),
          held,
          (leaf, index) -> leaves.read(leaf, leaf.partitions()[index], found));
      inputs.add(
          new TaskInput(
              partition,
              found.stream()
                  .flatMap(piece -> served.apply(piece.file()).stream().map(piece::part))
                  .toList()));
    }
    return inputs;
  }

  private void walk(
      RDD<?> rdd, int index, Set<Place> seen, Map<Integer, BitSet> held, Leaves found) {
    if (!seen.add(new Place(rdd.id(), index))
        || held.computeIfAbsent(rdd.id(), id -> cached.of(rdd)).get(index)) {
      return;
    }
    boolean leaf = true;
    for (Object dependency : ScalaMethods.dependencies(rdd)) {
      if (dependency instanceof NarrowDependency<?> narrow) {
        leaf = false;
        for (Object parent : ScalaMethods.parents(narrow, index)) {
          walk(narrow.rdd(), (Integer) parent, seen, held, found);
        }
      }
    }
    if (leaf) {
      found.met(rdd, index);
    }
  }

  /** Takes the leaves of a walk. */
  private interface Leaves {
    void met(RDD<?> leaf, int partition);
  }

  /** A partition of an RDD. */
  private record Place(int rdd, int index) {}

  /** Knows which partitions Spark itself holds in memory or on disk. */
  interface CachedPartitions {
    /** Those of the RDD, of all its partitions; asked once in a walk, since it may block. */
    BitSet of(RDD<?> rdd);
  }
}
