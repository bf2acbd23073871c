package io.eley.spark.connector.plan;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.NarrowDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.ShuffleMapStage;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerMaster;

/**
 * Methods of Spark that return a Scala {@code Seq}. That is {@code scala.collection.Seq} in Scala
 * 2.12, for which Spark 3.5 is built by default, and {@code scala.collection.immutable.Seq} since
 * 2.13: the return type is a part of a method's name in bytecode, so code compiled against one does
 * not find the other. They are looked up by name; the interface {@code scala.collection.Seq} is
 * there in both.
 *
 * <p>Safe for several threads.
 */
final class ScalaMethods {
  private static final MethodHandle DEPENDENCIES =
      find(RDD.class, "dependencies").asType(methodType(Object.class, RDD.class));
  private static final MethodHandle PARENTS =
      find(NarrowDependency.class, "getParents", int.class)
          .asType(methodType(Object.class, NarrowDependency.class, int.class));

  private static final MethodHandle LOCATIONS =
      find(BlockManagerMaster.class, "getLocations", BlockId.class)
          .asType(methodType(Object.class, BlockManagerMaster.class, BlockId.class));

  private static final MethodHandle MISSING =
      find(ShuffleMapStage.class, "findMissingPartitions")
          .asType(methodType(Object.class, ShuffleMapStage.class));

  private ScalaMethods() {}

  private static MethodHandle find(Class<?> owner, String name, Class<?>... parameters) {
    try {
      return MethodHandles.publicLookup().unreflect(owner.getMethod(name, parameters));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this Spark has no " + owner.getName() + "." + name, e);
    }
  }

  /** {@link RDD#dependencies}. */
  static List<?> dependencies(RDD<?> rdd) {
    try {
      return list((Object) DEPENDENCIES.invokeExact((RDD<?>) rdd));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** {@link NarrowDependency#getParents}: partitions of its RDD, as {@code Integer}s. */
  static List<?> parents(NarrowDependency<?> dependency, int partition) {
    try {
      return list((Object) PARENTS.invokeExact((NarrowDependency<?>) dependency, partition));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** {@link BlockManagerMaster#getLocations}: the block managers that hold a block. Blocks. */
  static List<?> locations(BlockManagerMaster master, BlockId block) {
    try {
      return list((Object) LOCATIONS.invokeExact(master, block));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** {@link ShuffleMapStage#findMissingPartitions}: those without output, as {@code Integer}s. */
  static List<?> missing(ShuffleMapStage stage) {
    try {
      return list((Object) MISSING.invokeExact(stage));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** The elements of a {@code scala.collection.Seq}. */
  static List<?> list(Object seq) {
    var elements = new ArrayList<>();
    for (var each = ((scala.collection.Seq<?>) seq).iterator(); each.hasNext(); ) {
      elements.add(each.next());
    }
    return elements;
  }

  private static RuntimeException thrown(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException ours ? ours : new IllegalStateException(e);
  }
}
