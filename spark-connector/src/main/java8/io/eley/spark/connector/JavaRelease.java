package io.eley.spark.connector;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this JVM can load the connector.
 *
 * <p>The classes of this source folder are those that Spark and Hadoop load by name, and that an
 * older JVM must therefore be able to load: on Java 8 and 11, which Spark 3.5 runs on, a class of
 * ours that it cannot load would end a job that needs nothing of us. They refer to all others by
 * name only.
 */
public final class JavaRelease {
  private static final Logger LOG = LoggerFactory.getLogger(JavaRelease.class);
  private static final int NEEDED = 17;

  private JavaRelease() {}

  /** Whether all of our classes can be loaded. */
  public static boolean suffices() {
    return number(current()) >= NEEDED;
  }

  /** Logs that something is not there, when this JVM is too old for it. */
  public static boolean sufficesFor(String what) {
    if (!suffices()) {
      LOG.warn(refusal(what, current()));
    }
    return suffices();
  }

  /** One line for a user. */
  public static String refusal(String what) {
    return refusal(what, current());
  }

  static String refusal(String what, String release) {
    return what + " needs Java " + NEEDED + " or newer; this is Java " + number(release);
  }

  /** The release in {@code java.specification.version}, which is 1.8 of Java 8. */
  static int number(String specification) {
    String name = specification.startsWith("1.") ? specification.substring(2) : specification;
    return Integer.parseInt(name);
  }

  private static String current() {
    return System.getProperty("java.specification.version");
  }
}
