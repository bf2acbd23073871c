package io.eley.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs all benchmarks in some seven minutes and writes a result file.
 *
 * <p>Usage: {@code BenchmarkMain [rounds [pattern]]}. A round runs every benchmark once, ours next
 * to its limit, each in a JVM of its own. With a pattern nothing is written: it is for a closer
 * look.
 */
public final class BenchmarkMain {
  private static final int ROUNDS = 3;

  private BenchmarkMain() {}

  public static void main(String[] arguments) throws RunnerException, IOException {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : ROUNDS;
    String pattern = arguments.length > 1 ? arguments[1] : "";
    var host = BenchmarkHost.describe();
    var samples = new Samples();
    for (int round = 1; round <= rounds; round++) {
      System.err.println("round " + round + " of " + rounds);
      new Runner(options(pattern)).run().forEach(samples::add);
    }
    String table = new ResultTable(host, rounds, samples).text();
    new PrintStream(System.out, true, StandardCharsets.UTF_8).print(table);
    if (pattern.isEmpty()) {
      write(host, table);
    }
  }

  private static Options options(String pattern) {
    return new OptionsBuilder()
        .include("io\\.eley\\.benchmarks\\..*" + pattern)
        .mode(Mode.SampleTime)
        .timeUnit(TimeUnit.MICROSECONDS)
        .forks(1)
        .warmupIterations(2)
        .warmupTime(TimeValue.milliseconds(600))
        .measurementIterations(3)
        .measurementTime(TimeValue.milliseconds(600))
        .jvmArgs("-Xmx512m")
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT)
        .build();
  }

  private static void write(BenchmarkHost host, String table) throws IOException {
    Path folder =
        Path.of(Files.isDirectory(Path.of("benchmarks")) ? "benchmarks/results" : "results");
    Files.createDirectories(folder);
    Path file = folder.resolve(LocalDate.now(ZoneOffset.UTC) + "-" + host.commit() + ".txt");
    Files.writeString(file, table);
    System.err.println("written to " + file);
  }
}
