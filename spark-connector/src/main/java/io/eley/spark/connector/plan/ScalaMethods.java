package io.eley.spark.connector.plan;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.io.sarg.SearchArgument;
import org.apache.spark.NarrowDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.Stage;
import org.apache.spark.sql.execution.datasources.orc.OrcFilters;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerMaster;
import scala.Option;

/**
 * Methods of Spark that take or return a Scala {@code Seq}. That is {@code scala.collection.Seq} in
 * Scala 2.12, for which Spark 3.5 is built by default, and {@code scala.collection.immutable.Seq}
 * since 2.13: types are a part of a method's name in bytecode, so code compiled against one does
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
      find(BlockManagerMaster.class, "getLocations", BlockId[].class)
          .asType(methodType(Object.class, BlockManagerMaster.class, BlockId[].class));

  private static final MethodHandle MISSING =
      find(Stage.class, "findMissingPartitions").asType(methodType(Object.class, Stage.class));

  private static final MethodHandle ORC_FILTER = find(OrcFilters.class, "createFilter");

  private ScalaMethods() {}

  /** The only method of this name, whatever its {@code Seq} is. */
  private static MethodHandle find(Class<?> owner, String name) {
    for (Method method : owner.getMethods()) {
      if (method.getName().equals(name)) {
        return unreflect(method);
      }
    }
    throw new LinkageError("this Spark has no " + owner.getName() + "." + name);
  }

  private static MethodHandle find(Class<?> owner, String name, Class<?>... parameters) {
    try {
      return unreflect(owner.getMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      throw new LinkageError("this Spark has no " + owner.getName() + "." + name, e);
    }
  }

  private static MethodHandle unreflect(Method method) {
    try {
      return MethodHandles.publicLookup().unreflect(method);
    } catch (IllegalAccessException e) {
      throw new LinkageError("this Spark keeps " + method + " to itself", e);
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

  /**
   * {@link BlockManagerMaster#getLocations}: of each of the blocks the block managers that hold it.
   * One question for all, which blocks.
   */
  static List<List<?>> locations(BlockManagerMaster master, BlockId[] blocks) {
    try {
      var all = new ArrayList<List<?>>(blocks.length);
      list((Object) LOCATIONS.invokeExact(master, blocks)).forEach(each -> all.add(list(each)));
      return all;
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** {@link Stage#findMissingPartitions}: those without output or result, as {@code Integer}s. */
  static List<?> missing(Stage stage) {
    try {
      return list((Object) MISSING.invokeExact(stage));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** {@code OrcFilters.createFilter}: what an ORC reader is told of the filters. */
  @SuppressWarnings("unchecked") // the only type that the method returns
  static Option<SearchArgument> orcFilter(StructType schema, List<Filter> filters) {
    try {
      return (Option<SearchArgument>) ORC_FILTER.invoke(schema, seq(filters));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A list is a {@code Seq} of either Scala. */
  private static scala.collection.immutable.List<Object> seq(List<?> elements) {
    scala.collection.immutable.List<Object> seq = scala.collection.immutable.List$.MODULE$.empty();
    for (int i = elements.size() - 1; i >= 0; i--) {
      seq = seq.$colon$colon(elements.get(i));
    }
    return seq;
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
