package io.eley.fuzz;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Jazzer on one target, in a JVM of its own with a small heap, so that an input that takes much
 * memory is a finding as one that takes long is.
 *
 * @param target the class
 * @param seconds how long
 * @param work where new inputs, findings and the log go; made when it is missing
 */
record FuzzRun(Class<?> target, long seconds, Path work) {
  private static final Pattern PROGRESS =
      Pattern.compile("#(\\d+)\\s.*cov: (\\d+) ft: (\\d+).*exec/s: (\\d+).*");
  private static final int INPUT_SECONDS_MAX = 60;
  private static final int INPUT_BYTES_MAX = 4096;
  private static final int HEAP_MEBIBYTES = 512;

  /** Jazzer's own detectors look at our code alone, and at what is no purpose of a target. */
  private static final String DETECTORS = "com.code_intelligence.jazzer.sanitizers.";

  private static final String BY_DESIGN =
      String.join(
          File.pathSeparator,
          DETECTORS + "FilePathTraversal",
          DETECTORS + "ServerSideRequestForgery");

  /**
   * What came out.
   *
   * @param executions how often the target was called
   * @param coverage edges, as libFuzzer counts them
   * @param features edges by how often they were taken
   * @param findings files with the inputs
   */
  record Result(
      Class<?> target, long executions, long coverage, long features, List<Path> findings) {}

  /** Blocks until the time is over or a rule is broken. */
  Result run() throws IOException, InterruptedException {
    FileTime begun = FileTime.from(Instant.now().truncatedTo(ChronoUnit.SECONDS));
    Path found = Files.createDirectories(work.resolve("corpus"));
    Path log = work.resolve("log");
    var process =
        new ProcessBuilder(command(found)).redirectErrorStream(true).redirectOutput(log.toFile());
    Process jazzer = process.start();
    if (!jazzer.waitFor(2 * seconds + 120, TimeUnit.SECONDS)) {
      jazzer.destroyForcibly().waitFor();
    }
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    return result(lines, jazzer.exitValue(), findings(begun));
  }

  private List<String> command(Path found) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-D"))
        .forEach(command::add);
    command.add("-Xmx" + HEAP_MEBIBYTES + "m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + target.getName());
    command.add("--instrumentation_includes=io.eley.**:org.apache.commons.csv.**");
    command.add("--custom_hook_includes=io.eley.**");
    command.add("--disabled_hooks=" + BY_DESIGN);
    command.add("--reproducer_path=" + work);
    command.add(found.toString());
    command.add(Targets.corpus(target).toString());
    command.add("-artifact_prefix=" + work + "/");
    command.add("-max_total_time=" + seconds);
    command.add("-timeout=" + INPUT_SECONDS_MAX);
    command.add("-max_len=" + INPUT_BYTES_MAX);
    command.add("-rss_limit_mb=0"); // the heap is limited; the JVM's own memory is not our subject
    command.add("-print_final_stats=1");
    return command;
  }

  private Result result(List<String> log, int status, List<Path> findings) throws IOException {
    long executions = 0;
    long coverage = 0;
    long features = 0;
    for (String line : log) {
      Matcher progress = PROGRESS.matcher(line);
      if (progress.matches()) {
        executions = Long.parseLong(progress.group(1));
        coverage = Long.parseLong(progress.group(2));
        features = Long.parseLong(progress.group(3));
      }
    }
    if (status != 0 && findings.isEmpty()) {
      throw new IOException(
          String.format(
              Locale.ROOT, "%s ended with %d: see %s", target.getSimpleName(), status, work));
    }
    return new Result(target, executions, coverage, features, findings);
  }

  /** Those of this run; earlier ones stay beside them. */
  private List<Path> findings(FileTime begun) throws IOException {
    var findings = new ArrayList<Path>();
    try (Stream<Path> files = Files.list(work)) {
      for (Path file : files.sorted().toList()) {
        boolean finding = file.getFileName().toString().matches("(crash|timeout|oom)-.*");
        if (finding && Files.getLastModifiedTime(file).compareTo(begun) >= 0) {
          findings.add(file);
        }
      }
    }
    return findings;
  }
}
