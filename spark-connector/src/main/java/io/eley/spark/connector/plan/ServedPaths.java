package io.eley.spark.connector.plan;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.error.EleyException;
import io.eley.spark.connector.fs.OriginPath;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which of Spark's input paths Eley serves: {@code bb://}, and the origin's own paths, such as
 * {@code file://}, when those are accelerated. The coordinator is asked for the origin's address
 * once. Used by the plan's one thread.
 */
final class ServedPaths implements Function<Path, Optional<String>> {
  private final CoordinatorClient coordinator;
  private final Predicate<String> accelerated;
  private @Nullable String origin;

  /**
   * Paths of a deployment.
   *
   * @param accelerated whether paths of this scheme are read through the buffer as they are
   */
  ServedPaths(CoordinatorClient coordinator, Predicate<String> accelerated) {
    this.coordinator = coordinator;
    this.accelerated = accelerated;
  }

  @Override
  public Optional<String> apply(Path path) {
    try {
      String scheme = path.toUri().getScheme();
      return OriginPath.served(
          path.toUri(), accelerated.test(scheme == null ? "file" : scheme) ? origin() : "");
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private String origin() {
    String known = origin;
    if (known == null) {
      try {
        known = coordinator.view().originAddress();
        origin = known;
      } catch (EleyException e) {
        return "";
      }
    }
    return known;
  }
}
