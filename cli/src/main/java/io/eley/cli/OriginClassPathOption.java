package io.eley.cli;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.server.fetch.FetchKeys;
import io.eley.coordinator.config.CoordinatorKeys;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the classes are that an origin needs which is no mount. */
final class OriginClassPathOption {
  private static final String OPTION = "--origin-classpath";

  /** A request is mostly waiting, so more of them are under way than on a mount. */
  private static final Map<String, String> MORE_AT_ONCE =
      Map.of(HoldKeys.FETCHERS.name(), "8", FetchKeys.CONCURRENCY_MAX.name(), "16");

  /** A request of an object store costs as much time as some MiB of its answer. */
  private static final DataSize LARGE_CHUNK = DataSize.ofMebibytes(4);

  /** They need no class path, so that one beside them is for what is typed. */
  private static final Set<String> MOUNTS = Set.of("", "file");

  @Option(
      names = OPTION,
      paramLabel = "PATH",
      description = {
        "jars and configuration of Hadoop's clients for an origin of theirs (hdfs:, s3a:), with : between;",
        "dir/* is all jars of a directory (default: SPARK_HOME/jars/*; HADOOP_CONF_DIR goes before it)"
      })
  private @Nullable String named;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb = CommandSpec.create();

  /** Bytes of one read of this origin, a divisor of the block size where that is a usual one. */
  static DataSize chunkSize(String origin, DataSize blockSize) {
    boolean large = !Origins.onOwnClassPath(origin) && blockSize.bytes() % LARGE_CHUNK.bytes() == 0;
    return large ? LARGE_CHUNK : CoordinatorKeys.CHUNK_SIZE.defaultValue();
  }

  /**
   * Adds what this origin needs to settings; those that are there stay. A class path of eley.conf
   * is for the kind of origin that it has there: it is left aside when another one is typed.
   *
   * @param spark home of a Spark, whose jars have Hadoop's clients
   * @throws IllegalArgumentException for a place that is not there, or a need that is not met
   */
  void putInto(
      Map<String, String> settings,
      String origin,
      Optional<Path> spark,
      Map<String, String> environment) {
    if (Origins.onOwnClassPath(origin)) {
      if (named != null && Typed.was(OPTION, verb)) {
        throw new IllegalArgumentException(
            OPTION + " is for an origin behind Hadoop's clients; " + origin + " is none");
      }
      return;
    }
    if (!settings.containsKey(OriginKeys.CLASS_PATH.name())) {
      settings.put(OriginKeys.CLASS_PATH.name(), classPath(origin, spark, environment));
    }
    MORE_AT_ONCE.forEach(settings::putIfAbsent);
  }

  private String classPath(String origin, Optional<Path> spark, Map<String, String> environment) {
    var entries = new ArrayList<String>();
    entries.add(adapter());
    String configuration = environment.getOrDefault("HADOOP_CONF_DIR", "");
    if (!configuration.isBlank()) {
      entries.add(checked(configuration, "HADOOP_CONF_DIR"));
    }
    if (named != null && !isOfAnother(origin)) {
      for (String entry : named.split(File.pathSeparator, -1)) {
        entries.add(checked(entry, OPTION));
      }
    } else if (spark.isPresent() && Files.isDirectory(spark.get().resolve("jars"))) {
      entries.add(spark.get().toAbsolutePath().resolve("jars") + "/*");
    } else {
      throw new IllegalArgumentException(
          "--origin "
              + origin
              + " needs Hadoop's clients: name their jars by --origin-classpath, or a Spark by"
              + " --spark-home");
    }
    return String.join(File.pathSeparator, entries);
  }

  /** Whether eley.conf has the class path beside an origin whose clients are not this one's. */
  private boolean isOfAnother(String origin) {
    return !Typed.was(OPTION, verb)
        && Typed.instead("--origin", verb)
            .map(OriginClassPathOption::kind)
            .filter(kind -> !MOUNTS.contains(kind) && !kind.equals(kind(origin)))
            .isPresent();
  }

  private static String kind(String address) {
    return address.substring(0, Math.max(0, address.indexOf(':')));
  }

  private static String adapter() {
    try {
      return Layout.find().originJar().toString();
    } catch (EleyException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static String checked(String entry, String from) {
    boolean all = entry.endsWith("/*");
    Path path = Home.path(all ? entry.substring(0, entry.length() - 2) : entry).toAbsolutePath();
    if (entry.isBlank() || !(all ? Files.isDirectory(path) : Files.isReadable(path))) {
      throw new IllegalArgumentException(from + ": there is no '" + entry + "'");
    }
    return path.normalize() + (all ? "/*" : "");
  }
}
