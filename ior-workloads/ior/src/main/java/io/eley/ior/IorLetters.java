package io.eley.ior;

import io.eley.bb.api.config.DataSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** IOR's own options, as picocli fills them. A letter that is not here is refused. */
final class IorLetters {
  @Option(
      names = "-a",
      paramLabel = "API",
      defaultValue = "POSIX",
      description = "API; POSIX is the one there is")
  private String api = "POSIX";

  @Option(names = "-w", description = "write phases (neither -w nor -r means both)")
  private boolean write;

  @Option(names = "-r", description = "read phases")
  private boolean read;

  @Option(
      names = "-o",
      required = true,
      paramLabel = "FILE",
      description = "test file; it is replaced, and removed at the end without -k")
  private String file = "";

  @Option(
      names = "-b",
      paramLabel = "SIZE",
      defaultValue = "1m",
      converter = SizeConverter.class,
      description = "contiguous bytes a task and segment (default: ${DEFAULT-VALUE})")
  private DataSize block = DataSize.ofMebibytes(1);

  @Option(
      names = "-t",
      paramLabel = "SIZE",
      defaultValue = "256k",
      converter = SizeConverter.class,
      description = "bytes of one transfer (default: ${DEFAULT-VALUE})")
  private DataSize transfer = new DataSize(256 << 10);

  @Option(
      names = "-s",
      paramLabel = "N",
      defaultValue = "1",
      description = "segments (default: ${DEFAULT-VALUE})")
  private int segments = 1;

  @Option(
      names = "-i",
      paramLabel = "N",
      defaultValue = "1",
      description = "repetitions (default: ${DEFAULT-VALUE})")
  private int repetitions = 1;

  @Option(
      names = "-d",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "pause before each phase, the first included (default: ${DEFAULT-VALUE})")
  private int delay;

  @Option(
      names = "-D",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "tasks begin no transfer after so long; 0 for never")
  private int stonewall;

  @Option(names = "-F", description = "one file a task")
  private boolean filePerTask;

  @Option(names = "-e", description = "fsync after writing")
  private boolean sync;

  @Option(names = "-C", description = "each task reads what the next one wrote")
  private boolean reorder;

  @Option(names = "-g", description = "all tasks wait between open, transfer and close")
  private boolean barriers;

  @Option(names = "-k", description = "keep the files")
  private boolean keep;

  @Option(names = "-v", description = "more output; up to -vvv")
  private boolean[] verbose = {};

  @Option(
      names = "-O",
      paramLabel = "KEY=VALUE",
      description = "summaryFormat=default|JSON|CSV, summaryFile=FILE")
  private List<String> directives = List.of();

  @Option(
      names = {"-N", "-n", "--tasks"},
      paramLabel = "N",
      defaultValue = "1",
      description = "tasks (mpirun's part; default: ${DEFAULT-VALUE})")
  private int tasks = 1;

  String file() {
    return file;
  }

  int repetitions() {
    return repetitions;
  }

  List<String> directives() {
    return directives;
  }

  /**
   * All of them together.
   *
   * @param path of the test file
   * @throws IllegalArgumentException naming the letter that makes no sense
   */
  IorOptions options(String path) {
    if (!api.equals("POSIX")) {
      throw new IllegalArgumentException("-a " + api + ": POSIX is the API there is");
    }
    boolean both = !write && !read;
    return new IorOptions(
        path,
        new IorOptions.Access(write || both, read || both, filePerTask, sync, reorder),
        new IorOptions.Shape(transfer, block, segments, tasks, repetitions),
        new IorOptions.Pacing(delay, stonewall, barriers),
        keep,
        Math.min(verbose.length, 3));
  }

  /**
   * What {@code -O} says.
   *
   * @throws IllegalArgumentException naming what there is
   */
  SummaryOutput output() {
    var format = IorFormat.DEFAULT;
    Optional<Path> file = Optional.empty();
    for (String directive : directives) {
      int equals = directive.indexOf('=');
      String key = directive.substring(0, Math.max(0, equals));
      String value = directive.substring(equals + 1);
      switch (key) {
        case "summaryFormat" -> format = IorFormat.of(value);
        case "summaryFile" -> file = Optional.of(Path.of(value));
        default ->
            throw new IllegalArgumentException(
                "-O " + directive + ": there are summaryFormat= and summaryFile=");
      }
    }
    return new SummaryOutput(format, file);
  }
}
