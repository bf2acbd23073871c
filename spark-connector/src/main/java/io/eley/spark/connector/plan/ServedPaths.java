package io.eley.spark.connector.plan;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.error.EleyException;
import io.eley.spark.connector.fs.Mounts;
import io.eley.spark.connector.fs.OriginPath;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which of Spark's input paths Eley serves: {@code bb://}, and {@code file://} below the origin
 * when that is accelerated. The coordinator is asked for the origin's address once. Used by the
 * plan's one thread.
 */
final class ServedPaths implements Function<Path, Optional<String>> {
  private final CoordinatorClient coordinator;
  private final boolean filesToo;
  private @Nullable String mount;

  ServedPaths(CoordinatorClient coordinator, boolean filesToo) {
    this.coordinator = coordinator;
    this.filesToo = filesToo;
  }

  @Override
  public Optional<String> apply(Path path) {
    try {
      return OriginPath.served(path.toUri(), filesToo ? mount() : "");
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private String mount() {
    String known = mount;
    if (known == null) {
      try {
        known = Mounts.of(coordinator.view().originAddress());
        mount = known;
      } catch (EleyException e) {
        return "";
      }
    }
    return known;
  }
}
