package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.process.JavaCommand;
import io.eley.bb.api.process.KeptOutput;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.spark.deploy.ExternalShuffleService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The process around Spark's service; with the service itself: {@code ShuffleTest}. */
@Timeout(60)
class ShuffleServiceTest {
  /** No other test listens there: a service's port is chosen a moment before the service has it. */
  private static final String HOST = "127.0.0.7";

  /**
   * An address of this machine where no test listens. Nobody can listen on all addresses at a port
   * that the service has.
   */
  private static final String NOBODY = "127.0.0.8";

  private static final Map<String, String> SETTINGS =
      Map.of("spark.authenticate", "true", "spark.other", "x", "spark.authenticate.secret", "no");

  @TempDir private Path temp;
  private Path spark;
  private Path own;

  @BeforeEach
  void makeSpark() throws Exception {
    spark = FakeSparkHome.create(temp.resolve("spark"));
    own = Files.createDirectory(temp.resolve("own"));
  }

  private ShuffleService.Site site() {
    return new ShuffleService.Site(HOST, spark);
  }

  @Test
  void itListensAtTheNodesAddressAlone() throws Exception {
    try (var service = ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), ""))) {
      new Socket(HOST, service.port()).close();
      assertThatExceptionOfType(ConnectException.class)
          .isThrownBy(() -> new Socket(NOBODY, service.port()).close());
    }
  }

  @Test
  void itListensWithTheApplicationsSecretAndNetworkAlone() throws Exception {
    var question = new OpenScratch("app-1", SETTINGS, "s3cret");
    assertThat(question.toString()).doesNotContain("s3cret");
    try (var service = ShuffleService.start(site(), own, question)) {
      assertThat(service.alive()).isTrue();
      new Socket(HOST, service.port()).close();
      List<String> seen = Files.readAllLines(own.resolve("seen"));
      assertThat(seen.subList(1, 4)).containsExactly("s3cret", "true", "null");
      assertThat(commandLine(seen))
          .contains("-Djava.io.tmpdir=" + own + " ")
          .doesNotContain("s3cret")
          .doesNotContain("=no");
    }
  }

  private static String commandLine(List<String> seen) {
    return ProcessHandle.of(Long.parseLong(seen.get(0)))
        .orElseThrow()
        .info()
        .commandLine()
        .orElse("");
  }

  @Test
  void itTellsWhenItIsKilled() throws Exception {
    try (var service = ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), ""))) {
      var told = new CountDownLatch(1);
      service.whenEnded(told::countDown);
      long process = Long.parseLong(Files.readAllLines(own.resolve("seen")).get(0));
      ProcessHandle.of(process).orElseThrow().destroyForcibly();
      told.await();
      assertThat(service.alive()).isFalse();
    }
  }

  /** Who lived on without some of its threads would be taken for well, and given more outputs. */
  @Test
  void oneThatIsOutOfMemoryEnds() throws Exception {
    try (var service = ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), ""))) {
      var told = new CountDownLatch(1);
      service.whenEnded(told::countDown);
      Files.createFile(temp.resolve("hungry"));
      new Socket(HOST, service.port()).close();
      told.await();
      assertThat(service.alive()).isFalse();
    }
  }

  @Test
  void itEndsWhenItIsClosed() throws Exception {
    var service = ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), ""));
    List<String> seen = Files.readAllLines(own.resolve("seen"));
    assertThat(seen.get(1)).as("no secret").isEqualTo("null");
    ProcessHandle process = ProcessHandle.of(Long.parseLong(seen.get(0))).orElseThrow();
    service.close();
    await().until(() -> !process.isAlive());
    assertThat(service.alive()).isFalse();
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> new Socket(HOST, service.port()).close());
  }

  @Test
  void itEndsWhenWhoeverHasStartedItIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                JavaCommand.ofThisJvm()
                    .heap("64m")
                    .classPathOfThisJvm()
                    .run(Parent.class.getName(), List.of(spark.toString(), own.toString())))
            .inheritIO()
            .start();
    try {
      Path seen = own.resolve("seen");
      await().until(() -> Files.exists(seen) && Files.readAllLines(seen).size() == 4);
      ProcessHandle process =
          ProcessHandle.of(Long.parseLong(Files.readAllLines(seen).get(0))).orElseThrow();
      parent.destroyForcibly();
      await().until(() -> !process.isAlive());
    } finally {
      parent.destroyForcibly();
    }
  }

  /** Starts a service and waits to be killed. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] args) throws Exception {
      ShuffleService.start(
          new ShuffleService.Site(HOST, Path.of(args[0])),
          Path.of(args[1]),
          new OpenScratch("app-1", Map.of(), ""));
      Thread.currentThread().join();
    }
  }

  @Test
  void itIsNotTakenForWhoeverWasQuickerAtItsPort() throws Exception {
    var chosen = new ArrayList<InetSocketAddress>();
    try (var stranger = listener();
        var service =
            ShuffleService.start(
                site(),
                own,
                new OpenScratch("app-1", Map.of(), ""),
                host -> {
                  try (var free = listener()) {
                    var first = (InetSocketAddress) stranger.getLocalSocketAddress();
                    chosen.add(
                        chosen.isEmpty()
                            ? first
                            : (InetSocketAddress) free.getLocalSocketAddress());
                    return chosen.get(chosen.size() - 1);
                  }
                },
                Duration.ofMinutes(1))) {
      assertThat(chosen).hasSize(2);
      assertThat(service.port()).isEqualTo(chosen.get(1).getPort());
      assertThat(service.alive()).isTrue();
    }
  }

  private static ServerSocket listener() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getByName(HOST));
  }

  /** As Spark's own scripts find it, and nothing else of what they set. */
  @Test
  void aSparkWithoutHadoopHasThatOfTheSite() throws Exception {
    Path service = temp.resolve("service.jar");
    spark = FakeSparkHome.createWithoutHadoop(temp.resolve("bare"), service);
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(() -> ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), "")))
        .withMessageContaining("ClassNotFoundException: " + ExternalShuffleService.class.getName());
    Path script = Files.createDirectory(spark.resolve("bin")).resolve("load-spark-env.sh");
    Files.writeString(
        script,
        """
        echo "of $SPARK_HOME, ${_SPARK_AUTH_SECRET:-no} secret"; read -r line
        export SPARK_LOCAL_DIRS=/elsewhere _SPARK_AUTH_SECRET=another SPARK_DIST_CLASSPATH=%s
        """
            .formatted(service));
    try (var started = ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), "s"))) {
      assertThat(started.alive()).isTrue();
      List<String> seen = Files.readAllLines(own.resolve("seen"));
      assertThat(seen.get(1)).isEqualTo("s");
      assertThat(ProcessHandle.of(Long.parseLong(seen.get(0))).orElseThrow().isAlive()).isTrue();
    }
    assertThat(own.resolve("service.log")).content().contains("of " + spark + ", no secret");
  }

  /** As one that asks a mount which does not answer. */
  @Test
  void aScriptOfTheSiteThatHangsEndsWithItsService() throws Exception {
    spark = FakeSparkHome.createWithoutHadoop(temp.resolve("bare"), temp.resolve("service.jar"));
    Path hanging = temp.resolve("hanging");
    Path script = Files.createDirectory(spark.resolve("bin")).resolve("load-spark-env.sh");
    Files.writeString(script, "echo $$ >>" + hanging + "; sleep 600; true\n");
    var failed = new CompletableFuture<ErrorCode>();
    var starting =
        new Thread(
            () -> {
              try {
                ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), "")).close();
              } catch (EleyException e) {
                failed.complete(e.code());
              }
            });
    starting.start();
    await().until(() -> Files.exists(hanging) && !Files.readString(hanging).isBlank());
    starting.interrupt();
    assertThat(failed.get()).isEqualTo(ErrorCode.INTERRUPTED);
    assertThat(Files.readAllLines(hanging)).hasSize(1);
    long process = Long.parseLong(Files.readString(hanging).strip());
    await().until(() -> ProcessHandle.of(process).isEmpty());
  }

  /** As on a host full of tasks that begin: each further process would make it slower. */
  @Test
  void oneThatIsSlowIsNotStartedAgain() throws Exception {
    spark = FakeSparkHome.createWithoutHadoop(temp.resolve("bare"), temp.resolve("service.jar"));
    Path starts = temp.resolve("starts");
    Path script = Files.createDirectory(spark.resolve("bin")).resolve("load-spark-env.sh");
    Files.writeString(script, "echo start >>" + starts + "; sleep 600; true\n");
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(
            () ->
                ShuffleService.start(
                    site(),
                    own,
                    new OpenScratch("app-1", Map.of(), ""),
                    host -> new InetSocketAddress(host, 1),
                    Duration.ofSeconds(5)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .withMessageContaining("does not listen after 5 s");
    assertThat(starts).content().isEqualTo("start\n");
  }

  /** Its directory is on the RAM-disk. */
  @Test
  void ofWhatItPrintsTheEndIsKept() throws Exception {
    Files.createFile(temp.resolve("chatty"));
    ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), "")).close();
    Path log = own.resolve("service.log");
    Path old = own.resolve("service.log.old");
    assertThat(Files.size(log)).isBetween(1L, (long) KeptOutput.MOST_BYTES);
    assertThat(Files.size(old)).isBetween(1L, (long) KeptOutput.MOST_BYTES);
    String kept = Files.readString(old) + Files.readString(log);
    int first = Integer.parseInt(kept.lines().findFirst().orElseThrow().replace("warning ", ""));
    assertThat(kept.lines())
        .isEqualTo(IntStream.range(first, 50_000).mapToObj(i -> "warning " + i).toList());
  }

  @Test
  void oneThatDoesNotComeUpSaysSo() throws Exception {
    Files.createFile(temp.resolve("fail"));
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(() -> ShuffleService.start(site(), own, new OpenScratch("app-1", Map.of(), "")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .withMessageContaining("has ended with status 1: ")
        .withMessageContaining("NoClassDefFoundError: told/to/Fail");
    assertThat(own.resolve("service.log")).content().contains("told/to/Fail");
  }
}
