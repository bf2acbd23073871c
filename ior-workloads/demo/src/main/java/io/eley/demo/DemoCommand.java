package io.eley.demo;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.Durations;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.ior.SizeConverter;
import io.eley.report.ReportTable;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code eley demo}: the whole idea at work on this machine. The command line finds it by its name.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows the whole idea at work and reports both sides, Spark's and the HPC application's.",
      "WordCount and Sort on real Spark beside an IOR-like load, in the paper's three modes, on an"
          + " emulated parallel file system. See docs/demo.md."
    })
public final class DemoCommand implements Callable<Integer> {
  /** Set by the {@code eley} script. */
  private static final String HOME_PROPERTY = "eley.home";

  @Option(names = "--quick", description = "WordCount only: about 3 minutes")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "where report.json and report.html go (default: target/demo)")
  private @Nullable Path out;

  @Option(
      names = "--input",
      paramLabel = "DIR",
      description = "your own text files instead of generated ones")
  private @Nullable Path input;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "bytes of generated input (default: sized to this machine)")
  private @Nullable DataSize size;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "bytes per second of the emulated PFS (default: a quarter more than the tasks compute)")
  private @Nullable DataSize capacity;

  @Option(
      names = "--stream-rate",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "bytes per second that one stream gets at most (default: half the capacity)")
  private @Nullable DataSize streamRate;

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      description = "latency of each PFS request, for example 2ms (default: 2ms)")
  private @Nullable String latency;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "RAM of each of the two nodes (default: 256m, together less than the input)")
  private @Nullable DataSize memory;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "2017",
      description = "of the generated text")
  private long seed;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    Path home = Path.of(System.getProperty(HOME_PROPERTY, ".")).toAbsolutePath().normalize();
    Path directory = out == null ? home.resolve(Path.of("target", "demo")) : out;
    var console = spec.commandLine().getOut();
    var progress = new ConsoleProgress(spec.commandLine().getErr());
    var report =
        new DemoExperiment(
                Installation.find(home, classPath(), System.getenv("SPARK_HOME")),
                new LocalLauncher(),
                progress)
            .run(options(directory));
    progress.close();
    console.println();
    console.print(ReportTable.render(report));
    console.println();
    console.println(
        "report: " + directory.toAbsolutePath().normalize().resolve(DemoExperiment.HTML_FILE));
    console.flush();
    return 0;
  }

  private static List<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  private DemoOptions options(Path directory) throws EleyException {
    DemoOptions options = quick ? DemoOptions.quick(directory) : DemoOptions.full(directory);
    options = options.withInput(options.input().withSeed(seed));
    if (input != null) {
      if (!Files.isDirectory(input) || !Files.isReadable(input)) {
        throw new EleyException(
            ErrorCode.NOT_FOUND, "--input " + input + " is not a directory one can read");
      }
      options = options.withInput(options.input().withDirectory(input));
    }
    if (size != null) {
      options = options.withInput(options.input().withSize(size));
    }
    if (capacity != null) {
      options = options.withOrigin(options.origin().withCapacity(capacity));
    }
    if (streamRate != null) {
      options = options.withOrigin(options.origin().withStreamRate(streamRate));
    }
    if (latency != null) {
      options = options.withOrigin(options.origin().withLatency(Durations.parse(latency)));
    }
    return memory == null ? options : options.withBuffer(options.buffer().withMemory(memory));
  }
}
