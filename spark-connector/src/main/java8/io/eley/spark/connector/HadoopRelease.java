package io.eley.spark.connector;

import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether Hadoop has what our file systems are made of. A site's own may be older than the one that
 * Spark brings, and a class that cannot be linked names one of Hadoop's that nobody has asked for.
 */
public final class HadoopRelease {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopRelease.class);
  private static final String NEEDED = "3.3.1";

  /** The youngest of those that we extend. */
  private static final String YOUNGEST = "org.apache.hadoop.fs.statistics.IOStatisticsSource";

  private HadoopRelease() {}

  /** Whether our file systems can be loaded. */
  public static boolean suffices() {
    try {
      Class.forName(YOUNGEST, false, HadoopRelease.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Logs that something is not there, when Hadoop is too old for it. */
  public static boolean sufficesFor(String what) {
    boolean suffices = suffices();
    if (!suffices) {
      LOG.warn(refusal(what));
    }
    return suffices;
  }

  /** One line for a user. */
  public static String refusal(String what) {
    return what + " needs Hadoop " + NEEDED + " or newer; this is " + VersionInfo.getVersion();
  }
}
