package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A coordinator and a node as real processes, kept running by a supervisor, and some files to read
 * through them: for tests that take something away from one of the processes.
 */
final class StarvedDeployment implements AutoCloseable {
  static final int FILES = 6;
  static final int LENGTH = 3 << 20;

  private final Path directory;
  private final DeploymentFiles files;
  private final Supervisor supervisor;
  private final List<byte[]> contents = new ArrayList<>();

  /** Starts it below an empty directory. */
  StarvedDeployment(Path directory) throws IOException {
    this.directory = directory;
    Path origin = Files.createDirectory(directory.resolve("origin"));
    Path ram = Files.createDirectory(directory.resolve("ram"));
    for (int i = 0; i < FILES; i++) {
      var content = new byte[LENGTH];
      new Random(i).nextBytes(content);
      contents.add(content);
      Files.write(origin.resolve("f" + i), content);
    }
    files = new DeploymentFiles(directory.resolve("deployment"));
    supervisor = Supervisor.start(files, plan(origin, ram), this::command);
  }

  private static DeploymentPlan plan(Path origin, Path ram) {
    return new DeploymentPlan(
        origin.toString(),
        1,
        DataSize.ofMebibytes(32),
        BufferMode.NO_ACTION,
        new BlockGeometry(1 << 20, 1 << 18),
        ram,
        "127.0.0.1",
        0,
        // What stands still on a busy machine stays: tests are about what is taken away.
        Map.of("eley.heartbeat-timeout", "20s", "eley.node.coordinator.silence", "20s"));
  }

  private List<String> command(String verb, int heap, List<String> arguments) {
    var words = new ArrayList<>(List.of(directory.toString()));
    words.addAll(arguments);
    return Program.ofThisJvm(HungryProcesses.class.getName())
        .command(verb, Math.min(heap, 128), words);
  }

  DeploymentFiles files() {
    return files;
  }

  /** What a file holds. */
  byte[] content(int file) {
    return contents.get(file);
  }

  /** A client that asks the node for everything, though it is on this machine. */
  EleyClient client() throws EleyException {
    return EleyClient.open(
        ClientOptions.from(
            Settings.of(
                Map.of(
                    ClientKeys.DEPLOYMENT.name(),
                    files.directory().toString(),
                    ClientKeys.LOCAL.name(),
                    "false"))));
  }

  /** Reads all files and compares every byte. */
  void requireRightBytes(EleyClient client) throws EleyException {
    for (int i = 0; i < FILES; i++) {
      requireRightBytes(client, i);
    }
  }

  void requireRightBytes(EleyClient client, int which) throws EleyException {
    try (var file = client.openFile("/f" + which)) {
      var read = ByteBuffer.allocate(LENGTH);
      file.readFully(0, read);
      assertThat(Arrays.equals(read.array(), content(which))).as("bytes of f" + which).isTrue();
    }
  }

  /** Waits until a new client's reads come from RAM, all of them. */
  void awaitServed() {
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

  ProcessHandle process(String name) throws EleyException {
    return new PidFile(files.pidFile(name)).running().orElseThrow();
  }

  List<String> log(String name) throws IOException {
    return Files.readAllLines(files.log(name));
  }

  /** Lines of a log that tell of no ordinary event. */
  List<String> problems(String name) throws IOException {
    return log(name).stream().filter(l -> !l.contains(" DEBUG ") && !l.contains(" INFO ")).toList();
  }

  @Override
  public void close() {
    supervisor.close();
  }
}
