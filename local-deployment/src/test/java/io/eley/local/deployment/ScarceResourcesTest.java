package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Real processes that run out of heap or of descriptors: one line in the log, right bytes
 * throughout, and the buffer serves again when the cause is gone.
 */
@Timeout(120)
@Tag("slow")
class ScarceResourcesTest {
  private static final int FILES = 6;
  private static final int LENGTH = 3 << 20;
  private static final int STRANGERS = 60;

  @TempDir private Path temp;
  private DeploymentFiles files;
  private Supervisor supervisor;
  private final List<byte[]> contents = new ArrayList<>();
  private final List<SocketChannel> strangers = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    Path ram = Files.createDirectory(temp.resolve("ram"));
    for (int i = 0; i < FILES; i++) {
      var content = new byte[LENGTH];
      new Random(i).nextBytes(content);
      contents.add(content);
      Files.write(origin.resolve("f" + i), content);
    }
    files = new DeploymentFiles(temp.resolve("deployment"));
    var plan =
        new DeploymentPlan(
            origin.toString(),
            1,
            DataSize.ofMebibytes(32),
            BufferMode.NO_ACTION,
            new BlockGeometry(1 << 20, 1 << 18),
            ram,
            "127.0.0.1",
            0,
            Map.of("eley.heartbeat-timeout", "2s"));
    Program real = Program.ofThisJvm(HungryProcesses.class.getName());
    Program program =
        (verb, heap, arguments) -> {
          var words = new ArrayList<>(List.of(temp.toString()));
          words.addAll(arguments);
          return real.command(verb, Math.min(heap, 128), words);
        };
    supervisor = Supervisor.start(files, plan, program);
  }

  @AfterEach
  void stop() throws Exception {
    for (SocketChannel stranger : strangers) {
      stranger.close();
    }
    supervisor.close();
  }

  private EleyClient client() throws EleyException {
    return EleyClient.open(
        ClientOptions.from(
            Settings.of(
                Map.of(
                    ClientKeys.DEPLOYMENT.name(),
                    files.directory().toString(),
                    ClientKeys.LOCAL.name(),
                    "false"))));
  }

  /** What a supervisor has said so far. */
  private static ListAppender<ILoggingEvent> logOf(Class<?> type) {
    var said = new ListAppender<ILoggingEvent>();
    said.start();
    ((Logger) LoggerFactory.getLogger(type)).addAppender(said);
    return said;
  }

  private void requireRightBytes(EleyClient client) throws EleyException {
    for (int i = 0; i < FILES; i++) {
      try (var file = client.openFile("/f" + i)) {
        var read = ByteBuffer.allocate(LENGTH);
        file.readFully(0, read);
        assertThat(Arrays.equals(read.array(), contents.get(i))).as("bytes of f" + i).isTrue();
      }
    }
  }

  private ProcessHandle process(String name) throws EleyException {
    return new PidFile(files.pidFile(name)).running().orElseThrow();
  }

  private List<String> log(String name) throws IOException {
    return Files.readAllLines(files.log(name));
  }

  /** Lines of a log that tell of no ordinary event. */
  private List<String> problems(String name) throws IOException {
    return log(name).stream().filter(l -> !l.contains(" DEBUG ") && !l.contains(" INFO ")).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-1", "coordinator"})
  void whatIsOutOfHeapEndsWithOneLineAndIsStartedAgainWhileReadsGoOn(String name) throws Exception {
    var said = logOf(Supervisor.class);
    try (var client = client()) {
      requireRightBytes(client);
      var hungry = process(name);
      int before = log(name).size();
      Files.createFile(HungryProcesses.order(temp, name.replace("-1", "")));
      while (PidFile.alive(hungry)) {
        requireRightBytes(client);
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                requireRightBytes(client);
                return new PidFile(files.pidFile(name)).running().isPresent();
              });
      assertThat(process(name)).isNotEqualTo(hungry);
      assertThat(said.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .filteredOn(line -> line.startsWith(name + " has ended after "))
          .singleElement(STRING)
          .contains(" with 3; ");
      assertThat(log(name).subList(before, log(name).size()))
          .filteredOn(line -> line.contains("OutOfMemoryError"))
          .containsExactly("Terminating due to java.lang.OutOfMemoryError: Java heap space");
    }
    awaitServed();
  }

  /** A new client's reads come from RAM, all of them. */
  private void awaitServed() {
    await()
        .atMost(Duration.ofSeconds(40))
        .ignoreException(EleyException.class)
        .until(
            () -> {
              try (var client = client()) {
                requireRightBytes(client);
                return client.counters().bytes(Source.FALLBACK) == 0
                    && client.counters().bytes(Source.REMOTE_RAM) > 0;
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-1", "coordinator"})
  void whatIsOutOfDescriptorsSaysSoOnceAndReadsGoToTheOriginUntilThereAreSome(String name)
      throws Exception {
    var starved = process(name);
    try (var early = client()) {
      requireRightBytes(early);
      assertThat(problems(name)).isEmpty();
      limit(starved, descriptors(starved) + 4);
      connectStrangers(name);
      await().until(() -> !problems(name).isEmpty());

      Duration cpu = starved.info().totalCpuDuration().orElseThrow();
      long began = System.nanoTime();
      requireRightBytes(early);
      try (var late = client()) {
        requireRightBytes(late);
        assertThat(late.counters().bytes(Source.FALLBACK)).as("it was starved").isPositive();
      }
      await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
      var took = Duration.ofNanos(System.nanoTime() - began);
      assertThat(starved.info().totalCpuDuration().orElseThrow().minus(cpu))
          .as("processor time in %s", took)
          .isLessThan(took.dividedBy(2));
      requireRightBytes(early);
      assertThat(problems(name))
          .hasSize(1)
          .allMatch(line -> line.contains("no connection can be accepted (Too many open files)"));
    }
    limit(starved, 4096);
    awaitServed();
    assertThat(process(name)).as("the same process").isEqualTo(starved);
  }

  /**
   * A job's process: reads a file, and when it is told that it is starved, all of them by the same
   * client, and then opens another client. Prints what came of each.
   */
  static final class Client {
    private Client() {}

    public static void main(String[] arguments) throws Exception {
      HungryProcesses.loadClasses();
      var options =
          ClientOptions.from(Settings.of(Map.of(ClientKeys.DEPLOYMENT.name(), arguments[0])));
      try (var client = EleyClient.open(options)) {
        System.out.println(digest(client, 0));
        System.out.println("ready");
        int told = System.in.read();
        for (int i = 0; i < FILES && told >= 0; i++) {
          System.out.println(digest(client, i));
        }
        try (var other = EleyClient.open(options);
            var file = other.openFile("/f0")) {
          System.out.println("opened " + file.status().length());
        } catch (EleyException e) {
          System.out.println(e.code() + " " + e.getMessage());
        }
      }
    }

    private static int digest(EleyClient client, int file) throws EleyException {
      try (var open = client.openFile("/f" + file)) {
        var read = ByteBuffer.allocate(LENGTH);
        open.readFully(0, read);
        return Arrays.hashCode(read.array());
      }
    }
  }

  @Test
  void aClientThatIsOutOfDescriptorsReadsOnAndASecondOneFailsClearly() throws Exception {
    var command =
        Program.ofThisJvm(Client.class.getName())
            .command(files.directory().toString(), 128, List.of());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var said = process.inputReader()) {
      assertThat(said.readLine()).isEqualTo(Integer.toString(Arrays.hashCode(contents.get(0))));
      assertThat(said.readLine()).isEqualTo("ready");
      limit(process.toHandle(), descriptors(process.toHandle()));
      process.outputWriter().append("go\n").flush();
      for (byte[] content : contents) {
        assertThat(said.readLine()).isEqualTo(Integer.toString(Arrays.hashCode(content)));
      }
      assertThat(said.readLine()).contains("Too many open files");
    } finally {
      process.destroyForcibly();
    }
  }

  private static long descriptors(ProcessHandle process) throws IOException {
    try (var open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return open.count();
    }
  }

  /** Sets the soft limit: what is open stays open. */
  private static void limit(ProcessHandle process, long descriptors) throws Exception {
    Process prlimit =
        new ProcessBuilder(
                "prlimit",
                "--pid=" + process.pid(),
                "--nofile=" + descriptors + ":",
                "--noheadings")
            .inheritIO()
            .start();
    assertThat(prlimit.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(prlimit.exitValue()).isZero();
  }

  private void connectStrangers(String name) throws Exception {
    InetSocketAddress address;
    try (var coordinator = LocalDeployment.connect(files)) {
      var node = coordinator.view().view().nodes().get(0);
      String[] own = Files.readString(files.coordinatorAddress()).strip().split(":", -1);
      address =
          name.equals("coordinator")
              ? new InetSocketAddress(own[0], Integer.parseInt(own[1]))
              : new InetSocketAddress(node.host(), node.port());
    }
    for (int i = 0; i < STRANGERS; i++) {
      strangers.add(SocketChannel.open(address));
    }
  }
}
