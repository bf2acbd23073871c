package io.eley.bb.server.scratch;

import io.eley.bb.api.edge.PlainText;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.process.JavaCommand;
import io.eley.bb.api.process.KeptOutput;
import io.eley.bb.api.process.ListenAt;
import io.eley.bb.api.process.WhileParentLives;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Spark's own External Shuffle Service, a process of its own for each application: it has the
 * application's secret, if there is one, and sees the application's directory alone. It listens
 * where the node does and nowhere else. It ends with this process, however that ends.
 */
final class ShuffleService implements ScratchStore.Service {
  private static final String MAIN = "org.apache.spark.deploy.ExternalShuffleService";

  /** Where Spark's {@code SecurityManager} looks for a secret before it looks into its settings. */
  private static final String SECRET = "_SPARK_AUTH_SECRET";

  /** What of an application's settings the service must share to understand its executors. */
  private static final List<String> SHARED =
      List.of("spark.authenticate", "spark.network.crypto.", "spark.network.sasl.");

  /**
   * Starts Java with what Spark's own scripts would find: a Spark "without Hadoop" has the jars of
   * a site's Hadoop in {@code SPARK_DIST_CLASSPATH}, which {@code spark-env.sh} sets as a rule. Of
   * what else that sets nothing is taken, and it is told no secret. Looks at Spark's directory, on
   * whatever file system that is, in a process that can be ended.
   */
  private static final String WITH_SPARKS_CLASS_PATH =
      """
      CLASSPATH="$CLASSPATH:$SPARK_HOME/jars/*"
      hadoop=
      for jar in "$SPARK_HOME"/jars/hadoop-{client-api,common}-*.jar; do
        [ ! -e "$jar" ] || hadoop=own
      done
      if [ -z "$hadoop" ]; then
        more=$(
          unset _SPARK_AUTH_SECRET
          exec </dev/null
          timeout -k 1 20 bash -c '
            [ ! -r "$0" ] || . "$0" >&2
            printf %s "$SPARK_DIST_CLASSPATH"' "$SPARK_HOME/bin/load-spark-env.sh"
        )
        CLASSPATH="$CLASSPATH${more:+:$more}"
      fi
      export CLASSPATH
      exec "$@"
      """;

  private static final int MOST_CHARACTERS = 300;

  /**
   * For all attempts together. On a host full of tasks that begin, what takes a second or two
   * elsewhere may take most of a minute.
   */
  private static final Duration UP = Duration.ofSeconds(60);

  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration END = Duration.ofSeconds(5);

  /**
   * Somebody else may take a port between our choice and the service's start, which ends it. One
   * that is only slow is not started again: it would come later still, and make the host slower.
   */
  private static final int ATTEMPTS = 3;

  private final Process process;
  private final InetSocketAddress address;
  private final Path log;

  private ShuffleService(Process process, InetSocketAddress address, Path log) {
    this.process = process;
    this.address = address;
    this.log = log;
  }

  /**
   * Where a service is started.
   *
   * @param host address that it listens at
   * @param spark a Spark's directory, with {@code jars} in it
   */
  record Site(String host, Path spark) {}

  /** Chooses where a service is to listen. */
  @FunctionalInterface
  interface Addresses {
    InetSocketAddress next(String host) throws IOException;
  }

  /**
   * Starts a service and waits until it listens, a second or two.
   *
   * @param directory that it serves from
   * @throws EleyException {@code UNAVAILABLE} when it does not come up
   */
  static ShuffleService start(Site site, Path directory, OpenScratch application)
      throws EleyException {
    return start(site, directory, application, ShuffleService::freeAddress, UP);
  }

  static ShuffleService start(
      Site site, Path directory, OpenScratch application, Addresses addresses, Duration up)
      throws EleyException {
    long began = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      ShuffleService service = launch(site, directory, application, addresses);
      try {
        service.awaitListening(began, up);
        return service;
      } catch (EleyException e) {
        boolean slow = service.alive();
        service.close();
        if (slow || attempt == ATTEMPTS || e.code() == ErrorCode.INTERRUPTED) {
          throw e;
        }
      }
    }
  }

  private static ShuffleService launch(
      Site site, Path directory, OpenScratch application, Addresses addresses)
      throws EleyException {
    try {
      InetSocketAddress address = addresses.next(site.host);
      JavaCommand java =
          JavaCommand.ofThisJvm()
              .heap("192m")
              .serialCollector()
              .options(
                  List.of(
                      // Else it lives on without some of its threads, and readers fail at it.
                      "-XX:+ExitOnOutOfMemoryError",
                      "-XX:MaxDirectMemorySize=128m",
                      ListenAt.OPENS,
                      "--add-opens=java.base/java.lang=ALL-UNNAMED",
                      "--add-opens=java.base/java.nio=ALL-UNNAMED",
                      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"))
              // It ends without tidying up: what its libraries unpack goes with the directory.
              // Where nothing may be executed from there (noexec), Java does without them.
              .property("java.io.tmpdir", directory.toString())
              // Spark's own is 100m, for a heap of 1g.
              .property("spark.shuffle.service.index.cache.size", "32m")
              .property("spark.shuffle.service.enabled", "true")
              .property("spark.shuffle.service.port", Integer.toString(address.getPort()))
              .property("spark.shuffle.service.db.enabled", "false");
      for (Map.Entry<String, String> setting : application.settings().entrySet()) {
        if (SHARED.stream().anyMatch(setting.getKey()::startsWith)
            && !setting.getKey().endsWith("secret")) {
          java = java.property(setting.getKey(), setting.getValue());
        }
      }
      Path log = directory.resolve("service.log");
      var main =
          List.of(
              log.toString(),
              WhileParentLives.class.getName(),
              ListenAt.class.getName(),
              site.host,
              MAIN);
      ProcessBuilder builder = process(site, java, main);
      builder.environment().put("SPARK_LOCAL_DIRS", directory.toString());
      builder.environment().remove(SECRET);
      if (!application.secret().isEmpty()) {
        builder.environment().put(SECRET, application.secret());
      }
      builder.directory(directory.toFile());
      builder.redirectErrorStream(true);
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      return new ShuffleService(builder.start(), address, log);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot start Spark's shuffle service: " + e.getMessage(), e);
    }
  }

  private static ProcessBuilder process(Site site, JavaCommand java, List<String> arguments)
      throws IOException {
    var command = new ArrayList<>(List.of("bash", "-c", WITH_SPARKS_CLASS_PATH, "bash"));
    command.addAll(java.run(KeptOutput.class.getName(), arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_HOME", site.spark.toString());
    builder.environment().put("CLASSPATH", ourselves());
    return builder;
  }

  private static String ourselves() throws IOException {
    try {
      return Path.of(
              WhileParentLives.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static InetSocketAddress freeAddress(String host) throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return (InetSocketAddress) socket.getLocalSocketAddress();
    }
  }

  private void awaitListening(long began, Duration up) throws EleyException {
    while (true) {
      if (!process.isAlive()) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "Spark's shuffle service has ended with status " + process.exitValue() + lastWords());
      }
      if (listens()) {
        return;
      }
      if (System.nanoTime() - began > up.toNanos()) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "Spark's shuffle service does not listen after " + up.toSeconds() + " s" + lastWords());
      }
      try {
        TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new EleyException(ErrorCode.INTERRUPTED, "interrupted while a service starts", e);
      }
    }
  }

  /** Why it does not go on: the last line of its log that is none of a stack. */
  private String lastWords() {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> !line.isBlank() && !line.startsWith("\t"))
          .reduce((first, second) -> second)
          .map(PlainText::escape)
          .map(line -> ": " + line.substring(0, Math.min(line.length(), MOST_CHARACTERS)))
          .orElse("");
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  /** Another process may have the port: then ours does not listen, and is about to end. */
  private boolean listens() {
    return ListeningProcess.listens(process.pid(), address.getPort())
        .orElseGet(() -> connects() && process.isAlive());
  }

  private boolean connects() {
    try (var socket = new Socket()) {
      socket.connect(address, (int) LOOK.toMillis());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public int port() {
    return address.getPort();
  }

  @Override
  public boolean alive() {
    return process.isAlive();
  }

  @Override
  public void whenEnded(Runnable then) {
    var unused = process.onExit().thenRun(then);
  }

  /** Ends it: by the end of its input, and if that is not enough, by force. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (IOException e) {
      kill();
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  /** With a site's script that hangs, which would not end with it. */
  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
