package io.eley.spark.connector.shuffle;

import io.eley.spark.connector.JavaRelease;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.jspecify.annotations.Nullable;

/**
 * {@code spark.shuffle.manager=io.eley.spark.connector.shuffle.EleyShuffleManager}: Spark's own
 * sort shuffle, whose outputs are moved to the buffer's scratch once they are written. What cannot
 * be moved stays where Spark has put it and is served from there, so nothing here fails a job.
 *
 * <p>It extends Spark's manager, and does not wrap it: Spark's SQL copies each row before it is
 * shuffled by a manager that it does not know ({@code ShuffleExchangeExec}).
 */
public final class EleyShuffleManager extends SortShuffleManager {
  private final @Nullable OutputMover mover;

  /** As Spark makes it. */
  public EleyShuffleManager(SparkConf conf, boolean driver) {
    super(conf);
    mover =
        JavaRelease.sufficesFor("Eley's scratch for intermediate data")
            ? mover(conf, driver)
            : null;
    if (mover != null && driver) {
      mover.settle();
    }
  }

  /** Moves outputs; named, not linked to, for JVMs that cannot load it. */
  interface OutputMover {
    /**
     * Sets what else Spark must know, before it reads that; on the driver.
     *
     * @throws IllegalArgumentException when settings contradict each other
     */
    void settle();

    /** A shuffle begins; on the driver. */
    void prepare(SparkContext context);

    <K, V> ShuffleWriter<K, V> moving(ShuffleWriter<K, V> writer, int shuffle);

    <K, C> ShuffleReader<K, C> asking(ShuffleReader<K, C> reader);

    /** Nobody reads the shuffle any more. */
    void drop(int shuffle);

    /** The application, or this executor, ends. */
    void stop();
  }

  private OutputMover mover(SparkConf conf, boolean driver) {
    try {
      String packageName =
          EleyShuffleManager.class.getName().replaceFirst("EleyShuffleManager$", "");
      return Class.forName(packageName + "ScratchMover")
          .asSubclass(OutputMover.class)
          .getDeclaredConstructor(SparkConf.class, boolean.class, SortShuffleManager.class)
          .newInstance(conf, driver, this);
    } catch (ReflectiveOperationException e) {
      if (e.getCause() instanceof IllegalArgumentException) {
        throw (IllegalArgumentException) e.getCause(); // a setting that makes no sense
      }
      throw new LinkageError("the connector's jar lacks ScratchMover", e);
    }
  }

  @Override
  public <K, V, C> ShuffleHandle registerShuffle(
      int shuffleId, ShuffleDependency<K, V, C> dependency) {
    if (mover != null) {
      mover.prepare(dependency.rdd().context());
    }
    return super.registerShuffle(shuffleId, dependency);
  }

  @Override
  public <K, V> ShuffleWriter<K, V> getWriter(
      ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
    ShuffleWriter<K, V> writer = super.getWriter(handle, mapId, context, metrics);
    return mover == null ? writer : mover.moving(writer, handle.shuffleId());
  }

  @Override
  public <K, C> ShuffleReader<K, C> getReader(
      ShuffleHandle handle,
      int startMapIndex,
      int endMapIndex,
      int startPartition,
      int endPartition,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    ShuffleReader<K, C> reader =
        super.getReader(
            handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
    return mover == null ? reader : mover.asking(reader);
  }

  @Override
  public boolean unregisterShuffle(int shuffleId) {
    boolean known = super.unregisterShuffle(shuffleId);
    if (mover != null) {
      mover.drop(shuffleId);
    }
    return known;
  }

  @Override
  public void stop() {
    if (mover != null) {
      mover.stop();
    }
    super.stop();
  }
}
