package io.eley.origin.hadoop;

import io.eley.bb.api.origin.Origins;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Hadoop's configuration as an origin wants it. Endpoints and credentials are the user's, in {@code
 * core-site.xml} and what it names; within Spark those of Spark, too.
 */
final class ClientSettings {
  /** The connector's file systems, which read by the buffer what comes here past it. */
  private static final String OURS = "io.eley.spark.connector.fs.";

  private static final String S3A = "fs.s3a.";

  /** What no user's setting may undo: versions and permits rest on it. */
  private static final Map<String, String> FORCED =
      Map.of(
          // A permit is for what was asked for: whatever reads ahead by itself asks nobody.
          "input.stream.type",
          "classic",
          "experimental.input.fadvise",
          "random",
          "readahead.range",
          "0",
          "prefetch.enabled",
          "false",
          // Of ranges that are read at once none is merged with another over unwanted bytes.
          "vectored.read.min.seek.size",
          "0",
          // Each GET names the ETag that was opened.
          "change.detection.source",
          "etag",
          "change.detection.mode",
          "server",
          "change.detection.version.required",
          "false",
          // S3A waits and tries again where it can count what it was told; the SDK would not.
          "attempts.maximum",
          "0");

  /** The same of Azure's client, whose streams read ahead on threads of their own. */
  private static final Map<String, String> FORCED_AZURE =
      Map.of(
          "enable.readahead", "false",
          "readaheadqueue.depth", "0",
          // Else each GET takes whichever version is there.
          "io.read.tolerate.concurrent.append", "false");

  private static final String AZURE = "fs.azure.";

  private ClientSettings() {}

  /** What the user has; a copy of our own. */
  static Configuration load(ClassLoader classes) {
    Configuration conf = inSpark(classes);
    conf.setClassLoader(classes);
    return conf;
  }

  /**
   * What the client of an origin is made with.
   *
   * @param user stays as it is
   */
  static Configuration client(URI address, Configuration user) {
    var conf = new Configuration(user);
    String implementation = "fs." + address.getScheme() + ".impl";
    takeHadoopsOwn(conf, implementation);
    // Else whoever closes all of Hadoop's closes it, too, under those whose origin it is.
    conf.setBoolean(implementation + ".disable.cache", true);
    FORCED.forEach(
        (key, value) -> {
          conf.set(S3A + key, value);
          // S3A would take what is said of this bucket alone in its place.
          conf.unset(S3A + "bucket." + address.getAuthority() + "." + key);
        });
    FORCED_AZURE.forEach(
        (key, value) -> {
          conf.set(AZURE + key, value);
          // Its own form for one account, as in fs.azure.KEY.ACCOUNT.dfs.core.windows.net.
          conf.unset(AZURE + key + "." + address.getHost());
        });
    orElse(conf, "fs.s3a.vectored.active.ranged.reads", "8");
    return conf;
  }

  /**
   * For who asks whether an origin will do, and is told within seconds that it does not. Nobody
   * else: a store that is started again is away for longer than that.
   *
   * @param user stays as it is
   */
  static Configuration impatient(Configuration user) {
    var conf = new Configuration(user);
    orElse(conf, "fs.s3a.retry.limit", "4");
    orElse(conf, "fs.s3a.retry.interval", "200ms");
    orElse(conf, "fs.s3a.connection.establish.timeout", "5s");
    orElse(conf, "ipc.client.connect.max.retries", "3");
    orElse(conf, "ipc.client.connect.max.retries.on.timeouts", "2");
    orElse(conf, "ipc.client.connect.timeout", "5000");
    return conf;
  }

  /** Else a read past the buffer would come back to the buffer, and from there here again. */
  private static void takeHadoopsOwn(Configuration conf, String key) {
    if (conf.getTrimmed(key, "").startsWith(OURS)) {
      var defaults = new Configuration(false);
      defaults.addResource("core-default.xml");
      conf.unset(key); // then services on the class path tell, as for HDFS
      String usual = defaults.getTrimmed(key, "");
      if (!usual.isEmpty()) {
        conf.set(key, usual);
      }
    }
  }

  /** Sets what the user has not. */
  private static void orElse(Configuration conf, String key, String value) {
    String[] sources = conf.getPropertySources(key);
    if (sources == null || Arrays.stream(sources).allMatch(s -> s.endsWith("-default.xml"))) {
      conf.set(key, value);
    }
  }

  /**
   * With {@code spark.hadoop.*} where this is a process of Spark's. In one of ours, Spark's classes
   * may be there for the sake of Hadoop's beside them, and are left alone.
   */
  private static Configuration inSpark(ClassLoader classes) {
    if (Origins.APART.equals(classes.getName())) {
      return new Configuration();
    }
    try {
      Class<?> util = Class.forName("org.apache.spark.deploy.SparkHadoopUtil", true, classes);
      Object instance = util.getMethod("get").invoke(null);
      Class<?> environment = Class.forName("org.apache.spark.SparkEnv", true, classes);
      Object running = environment.getMethod("get").invoke(null);
      if (running == null) {
        return new Configuration((Configuration) util.getMethod("conf").invoke(instance));
      }
      // An executor has made its own configuration before the driver's settings came.
      Method settings = environment.getMethod("conf");
      Method fresh = util.getMethod("newConfiguration", settings.getReturnType());
      return (Configuration) fresh.invoke(instance, settings.invoke(running));
    } catch (ReflectiveOperationException | LinkageError e) {
      return new Configuration();
    }
  }
}
