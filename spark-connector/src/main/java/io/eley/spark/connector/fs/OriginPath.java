package io.eley.spark.connector.fs;

import io.eley.bb.api.OriginPaths;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/** Hadoop paths to origin paths. */
public final class OriginPath {
  private OriginPath() {}

  /** The origin path of an absolute {@code bb} path. */
  static String of(Path absolute) {
    return OriginPaths.normalise(absolute.toUri().getPath());
  }

  /**
   * The origin path of any path that Eley serves: {@code bb://}, and, with an origin that is
   * mounted, {@code file://} below it.
   *
   * @param path as Spark names its input
   * @param mount the origin's directory, or empty when it is not mounted or {@code file://} is not
   *     accelerated
   */
  public static Optional<String> served(URI path, String mount) {
    String scheme = path.getScheme();
    String name = path.getPath();
    if (name == null || name.isEmpty()) {
      return Optional.empty();
    }
    if (BbFileSystem.SCHEME.equals(scheme)) {
      return Optional.of(OriginPaths.normalise(name));
    }
    if ((scheme == null || "file".equals(scheme)) && !mount.isEmpty()) {
      String full = OriginPaths.normalise(name);
      if (full.equals(mount)) {
        return Optional.of(OriginPaths.ROOT);
      }
      return full.startsWith(mount + "/")
          ? Optional.of(full.substring(mount.length()))
          : Optional.empty();
    }
    return Optional.empty();
  }
}
