package io.eley.spark.connector.fs;

import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop keeps a file system of each scheme for as long as the JVM lives, and names no deployment:
 * a second SparkContext with another one would list, and commit to, the origin of the first.
 */
public final class CachedFileSystems {
  private static final Logger LOG = LoggerFactory.getLogger(CachedFileSystems.class);
  private static final List<URI> OURS = List.of(URI.create("bb:///"), URI.create("file:///"));
  private static final String PACKAGE = CachedFileSystems.class.getPackageName();

  private CachedFileSystems() {}

  /**
   * Closes those of this user that are ours and of another deployment or origin than this
   * configuration's, so that Hadoop makes new ones. Streams that are open read on. Does not block
   * for a deployment that is away.
   */
  public static void closeThoseOfOthers(Configuration conf) {
    for (URI uri : OURS) {
      try {
        FileSystem cached = FileSystem.get(uri, conf);
        if (cached.getClass().getPackageName().equals(PACKAGE)
            && !sameInput(options(cached.getConf()), options(conf))) {
          cached.close();
          LOG.info("the file system of {} was another deployment's, and is made anew", uri);
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("no file system of {}", uri, e); // Whoever reads by it is told why.
      }
    }
  }

  private static boolean sameInput(ClientOptions one, ClientOptions other) {
    return one.deployment().equals(other.deployment())
        && one.originAddress().equals(other.originAddress());
  }

  private static ClientOptions options(Configuration conf) throws EleyException {
    return ClientOptions.from(SharedClients.settings(conf));
  }
}
