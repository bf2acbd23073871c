package io.eley.system.tutorials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** The commands of an installed Spark, for a home whose jars are there. */
public final class SparkScripts {
  /** A dozen JVMs start in such tests and compute next to nothing. */
  public static final String QUICK_START =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData";

  private SparkScripts() {}

  /** Of a home's classes (java(1), Class Data Sharing), where one has been made. */
  private static final String ARCHIVE = "spark.jsa";

  /** Has a JVM of a home archive its classes on its way out, which takes some seconds. */
  public static Map<String, String> archiving(Path home) {
    return Map.of("JDK_JAVA_OPTIONS", "-XX:ArchiveClassesAtExit=" + home.resolve(ARCHIVE));
  }

  /**
   * Writes {@code bin/spark-class} and {@code bin/spark-submit}. Spark's jars come first in the
   * class path, as an archive is valid for what the class path begins with.
   */
  public static void write(Path home) throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin"));
    script(
        bin.resolve("spark-class"),
        """
        #!/bin/bash
        export SPARK_SCALA_VERSION=2.13
        if [ -z "${SPARK_ENV_LOADED:-}" ]; then
          export SPARK_ENV_LOADED=1
          [ ! -f "$SPARK_CONF_DIR/spark-env.sh" ] || { set -a; . "$SPARK_CONF_DIR/spark-env.sh"; set +a; }
        fi
        opens=()
        for p in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic; do
          opens+=(--add-opens=java.base/java.$p=ALL-UNNAMED)
        done
        for p in sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar jdk.internal.ref; do
          opens+=(--add-opens=java.base/$p=ALL-UNNAMED)
        done
        # Spark's own launcher does this for the driver, and names HADOOP_CONF_DIR.
        driver=$(sed -n 's/^spark.driver.extraClassPath //p' "$SPARK_CONF_DIR/spark-defaults.conf")
        case "$*" in
          *.master.Master*|*.worker.Worker*|*.SparkConnectServer*) daemon=${SPARK_DAEMON_JAVA_OPTS:-} ;;
        esac
        [ ! -f "$SPARK_HOME/%s" ] || archive=-XX:SharedArchiveFile=$SPARK_HOME/%s
        exec java -Xmx512m %s ${archive:-} "${opens[@]}" ${daemon:-} \\
          -cp "$SPARK_HOME/jars/*:$SPARK_CONF_DIR:$driver:${HADOOP_CONF_DIR:-}:${SPARK_DIST_CLASSPATH:-}" "$@"
        """
            .formatted(ARCHIVE, ARCHIVE, QUICK_START));
    script(
        bin.resolve("spark-submit"),
        """
        #!/bin/bash
        exec "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.SparkSubmit "$@"
        """);
  }

  /** Writes a file that everybody may run. */
  public static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
