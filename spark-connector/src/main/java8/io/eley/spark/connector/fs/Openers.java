package io.eley.spark.connector.fs;

import io.eley.spark.connector.HadoopRelease;
import io.eley.spark.connector.JavaRelease;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the file systems share that accelerate the origin's own paths. */
public final class Openers {
  private static final Logger LOG = LoggerFactory.getLogger(Openers.class);

  private static final List<String> FILE_SYSTEMS =
      Arrays.asList("EleyLocalFileSystem", "EleyHdfsFileSystem", "EleyS3aFileSystem");

  private Openers() {}

  /** Whether the value of a key {@code fs.SCHEME.impl} is a file system of ours. */
  public static boolean serve(@Nullable String implementation) {
    String ours = Openers.class.getPackage().getName() + ".";
    return implementation != null
        && implementation.startsWith(ours)
        && FILE_SYSTEMS.contains(implementation.substring(ours.length()));
  }

  /**
   * Opens files through the buffer.
   *
   * @param scheme of the paths, for what is logged
   * @return null when there is no deployment, or Java or Hadoop is too old; then all is read
   *     without us
   */
  static @Nullable FileOpener find(
      Configuration conf, @Nullable Statistics statistics, String scheme) throws IOException {
    String what = "Eley for " + scheme + ":// paths";
    if (!JavaRelease.sufficesFor(what) || !HadoopRelease.sufficesFor(what)) {
      return null;
    }
    try {
      return Class.forName("io.eley.spark.connector.fs.BufferedFiles")
          .asSubclass(FileOpener.class)
          .getDeclaredConstructor(Configuration.class, Statistics.class)
          .newInstance(conf, statistics);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException) {
        // No deployment: a file system is still a file system.
        LOG.info("Eley is not used for {}:// paths: {}", scheme, e.getCause().getMessage());
        return null;
      }
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException("the connector's jar is not whole", e);
    }
  }
}
