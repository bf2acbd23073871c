package io.eley.cli;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.TreeDeletion;
import io.eley.cli.bench.BenchFiles;
import io.eley.cli.bench.BufferedReads;
import io.eley.cli.bench.GainVerdict;
import io.eley.cli.bench.Rate;
import io.eley.local.deployment.LocalDeployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine;

/**
 * Reads files from an origin itself and through one node, and leaves nothing. Blocks.
 *
 * @param origin absolute
 * @param ramDisk of the node
 * @param step the longest that each of the eight steps may take
 * @param progress takes a line at each
 */
record Measurement(Path origin, Path ramDisk, Duration step, Consumer<String> progress) {
  private static final long MIB = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Writes a large file of so many bytes and many small ones, and measures. */
  GainVerdict of(long bytes) throws IOException {
    try (var files = BenchFiles.below(origin)) {
      return guarded(files, bytes);
    }
  }

  /** Measures, and leaves nothing when this process is told to end before. */
  private GainVerdict guarded(BenchFiles files, long bytes) throws IOException {
    Path directory = Files.createTempDirectory("eley-bench-");
    var deployment = new DeploymentFiles(directory);
    var end = new Thread(() -> leaveNothing(files, deployment), "eley-bench-end");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      progress.accept("writing files below " + origin);
      files.write(bytes, step.toNanos());
      return measure(files, deployment);
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(end);
        leaveNothing(files, deployment);
      } catch (IllegalStateException e) {
        // The JVM ends: the hook does it.
      }
    }
  }

  private GainVerdict measure(BenchFiles files, DeploymentFiles deployment) throws IOException {
    progress.accept("reading them from the file system itself");
    Rate rawLarge = files.readLarge(step.toNanos());
    Rate rawSmall = files.readSmall(step.toNanos());
    start(deployment, files);
    var client = Map.of(ClientKeys.DEPLOYMENT.name(), deployment.directory().toString());
    try (var opened = EleyClient.open(ClientOptions.from(Settings.of(client)))) {
      var reads = new BufferedReads(opened);
      List<String> large = List.of(below(files.large()));
      List<String> small = files.small().stream().map(this::below).toList();
      progress.accept("reading them through the buffer");
      Rate firstLarge = reads.read(large, step.toNanos());
      Rate firstSmall = reads.read(small, step.toNanos());
      progress.accept("reading them out of its RAM");
      return new GainVerdict(
          rawLarge,
          firstLarge,
          reads.again(firstLarge, large, step.toNanos()),
          rawSmall,
          firstSmall,
          reads.again(firstSmall, small, step.toNanos()),
          files.direct());
    }
  }

  /** One node with room for all of it, by the verb that everybody uses. */
  private void start(DeploymentFiles deployment, BenchFiles files) throws EleyException {
    long memory = files.largeBytes() / MIB * 5 / 4 + 64;
    var options = new StartOptions();
    List<String> words =
        List.of(
            "--origin=" + origin,
            "--nodes=1",
            "--memory=" + memory + "m",
            "--ram-disk=" + ramDisk,
            "--no-scratch");
    Typed.on(new CommandLine(options)).parseArgs(words.toArray(String[]::new));
    var all = new ArrayList<>(words);
    all.add("--deployment=" + deployment.directory());
    new SupervisedStart(deployment, line -> {}).start(options.plan(line -> {}), all);
  }

  private String below(Path file) {
    return "/" + origin.relativize(file.toAbsolutePath().normalize());
  }

  private static synchronized void leaveNothing(BenchFiles files, DeploymentFiles deployment) {
    try {
      LocalDeployment.stop(deployment, PATIENCE);
      files.close();
      TreeDeletion.delete(deployment.directory());
    } catch (IOException e) {
      System.err.println("eley: something of the measurement is left: " + ErrorLine.describe(e));
    }
  }
}
