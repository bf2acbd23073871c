package io.eley.experiments;

import io.eley.bb.api.error.EleyException;
import io.eley.local.deployment.Teardown;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The Spark clusters of an experiment: local directories are the workers' own, so those on the file
 * system need workers of their own. All are idle while another computes.
 */
final class SiteClusters {
  private final Map<ShufflePlace, SparkCluster> clusters = new EnumMap<>(ShufflePlace.class);

  private SiteClusters() {}

  /**
   * Starts those that the design needs; blocks for some seconds each.
   *
   * @param options of the one whose local directories are on this machine
   * @param directory of the other one's own files
   * @param fileSystem directory on the file system, as the workers see it
   */
  static SiteClusters start(
      Design design,
      SparkClusterOptions options,
      Path directory,
      Path fileSystem,
      Teardown teardown)
      throws EleyException {
    var started = new SiteClusters();
    var here = teardown.add(SparkCluster.start(options));
    started.clusters.put(ShufflePlace.EXECUTORS, here);
    started.clusters.put(ShufflePlace.BUFFER, here);
    if (design.trials().stream().anyMatch(t -> t.shuffle() == ShufflePlace.FILE_SYSTEM)) {
      var there = options.withDirectories(directory, fileSystem.resolve("spark-local"));
      started.clusters.put(ShufflePlace.FILE_SYSTEM, teardown.add(SparkCluster.start(there)));
    }
    return started;
  }

  /** The one for intermediate data there. */
  SparkCluster of(ShufflePlace place) {
    return Objects.requireNonNull(clusters.get(place), "no cluster for it");
  }
}
