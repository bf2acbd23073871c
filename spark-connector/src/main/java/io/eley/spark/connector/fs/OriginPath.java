package io.eley.spark.connector.fs;

import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/** Hadoop paths to origin paths. */
public final class OriginPath {
  private static final String HDFS_PORT = ":8020";

  private OriginPath() {}

  /** The origin path of an absolute {@code bb} path. */
  static String of(Path absolute) {
    return OriginPaths.normalise(absolute.toUri().getPath());
  }

  /**
   * The origin path of any path that Eley serves: {@code bb://}, and what lies below the origin by
   * its own name: {@code file://} of one that is mounted, {@code hdfs://}, {@code s3a://}.
   *
   * @param path as Spark names its input
   * @param origin the origin's address, or empty when its own paths are not accelerated
   */
  public static Optional<String> served(URI path, String origin) {
    String scheme = path.getScheme();
    String name = path.getPath();
    if (name == null || name.isEmpty()) {
      return Optional.empty();
    }
    if (BbFileSystem.SCHEME.equals(scheme)) {
      return Optional.of(OriginPaths.normalise(name));
    }
    String mount = Mounts.of(origin);
    if (!mount.isEmpty()) {
      return scheme == null || "file".equals(scheme) ? below(name, mount) : Optional.empty();
    }
    if (origin.isEmpty() || scheme == null) {
      return Optional.empty();
    }
    URI root = URI.create(origin);
    return scheme.equals(root.getScheme()) && authority(path).equals(authority(root))
        ? below(name, root.getPath())
        : Optional.empty();
  }

  /**
   * The same of a client's origin, by its address and by the name that the client's options have
   * for it, when that is a directory that leads there, as a symbolic link does. Only for a path
   * below that name is it looked at, once.
   *
   * @throws EleyException when nobody says where the origin is, or its other name cannot be opened
   */
  public static Optional<String> served(URI path, EleyClient client) throws EleyException {
    Optional<String> usual = served(path, client.originAddress());
    String name = client.namedOrigin();
    if (usual.isPresent() || Mounts.of(name).isEmpty()) {
      return usual;
    }
    Optional<String> byName = served(path, name);
    return byName.isPresent() && client.namesOrigin() ? byName : usual;
  }

  private static Optional<String> below(String name, String root) {
    String full = OriginPaths.normalise(name);
    String prefix = root.equals(OriginPaths.ROOT) ? "" : root;
    if (full.equals(root)) {
      return Optional.of(OriginPaths.ROOT);
    }
    return full.startsWith(prefix + "/")
        ? Optional.of(full.substring(prefix.length()))
        : Optional.empty();
  }

  /** A name node is where it is, with or without the usual port. */
  private static String authority(URI path) {
    String authority = path.getAuthority() == null ? "" : path.getAuthority();
    return "hdfs".equals(path.getScheme()) && authority.endsWith(HDFS_PORT)
        ? authority.substring(0, authority.length() - HDFS_PORT.length())
        : authority;
  }
}
