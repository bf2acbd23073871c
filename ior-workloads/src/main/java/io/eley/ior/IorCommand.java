package io.eley.ior;

import io.eley.api.config.DataSize;
import io.eley.api.error.EleyException;
import io.eley.pfs.PfsAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code eley ior}: IOR's load under IOR's letters, with announcements to Eley. */
@Command(
    name = "ior",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs an IOR-compatible load: IOR's options, timing and output formats.",
      "The paper's load: eley ior -a POSIX -w -F -b 4g -t 1m -i 5 -d 20 -o FILE"
    })
public final class IorCommand implements Callable<Integer> {
  private static final int FAILED = 1;

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

  @Option(names = "-o", required = true, paramLabel = "FILE", description = "test file")
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
  private int segments;

  @Option(
      names = "-i",
      paramLabel = "N",
      defaultValue = "1",
      description = "repetitions (default: ${DEFAULT-VALUE})")
  private int repetitions;

  @Option(
      names = "-d",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "pause before each phase, the first included (default: ${DEFAULT-VALUE})")
  private int delay;

  @Option(names = "-F", description = "one file a task")
  private boolean filePerTask;

  @Option(names = "-e", description = "fsync after writing")
  private boolean sync;

  @Option(names = "-k", description = "keep the files")
  private boolean keep;

  @Option(
      names = "-O",
      paramLabel = "KEY=VALUE",
      description = "summaryFormat=default|JSON|CSV, summaryFile=FILE")
  private Map<String, String> directives = Map.of();

  @Option(
      names = {"-N", "--tasks"},
      paramLabel = "N",
      defaultValue = "1",
      description = "tasks (mpirun's part; default: ${DEFAULT-VALUE})")
  private int tasks;

  @Option(names = "--processes", description = "tasks as processes instead of threads")
  private boolean processes;

  @Option(
      names = "--announce",
      paramLabel = "DIR",
      description = "announce phases to the deployment in this directory")
  private @Nullable Path announce;

  @Option(
      names = "--app",
      paramLabel = "NAME",
      defaultValue = "ior",
      description = "name to announce (default: ${DEFAULT-VALUE})")
  private String application = "ior";

  @Option(
      names = "--announce-wait",
      description = "begin a phase only when the nodes have stopped prefetching")
  private boolean announceWait;

  @Option(
      names = "--phase-log",
      paramLabel = "FILE",
      description = "write times of day of phases, a JSON line each")
  private @Nullable Path phaseLog;

  @Option(
      names = "--pfs",
      paramLabel = "ADDRESS",
      description = "the emulated PFS that grants bandwidth (emulated://...)")
  private @Nullable URI pfs;

  @Option(
      names = "--real",
      description = "run the ior that is installed here instead; goes without what is not IOR's")
  private boolean real;

  @Option(names = "--rank", hidden = true, description = "be one task of a run with --processes")
  private int rank = -1;

  @Option(
      names = {"-q", "--quiet"},
      description = "no progress on standard error")
  private boolean quiet;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The command on its own, for processes that are only this. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Says what is wrong with its arguments in one line. */
  static CommandLine commandLine() {
    var command = new CommandLine(new IorCommand());
    command.setParameterExceptionHandler(
        (e, args) -> {
          command.getErr().println("ior: " + e.getMessage());
          return CommandLine.ExitCode.USAGE;
        });
    return command;
  }

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    IorOptions options = options();
    IorFormat format = format();
    try {
      if (real) {
        requireNothingOfOurs();
        return RealIor.run(options, format, spec.commandLine().getOut());
      }
      try (IorTarget target = target()) {
        if (rank >= 0) {
          return ProcessTasks.serve(new IorTask(options, target, rank), System.in, System.out);
        }
        requireDirectory();
        report(format, runAll(options, target, err));
        return 0;
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      err.println("ior: " + oneLine(e));
      return FAILED;
    }
  }

  private IorRunRecord runAll(IorOptions options, IorTarget target, PrintWriter err)
      throws IOException {
    var began = ZonedDateTime.now(java.time.ZoneId.systemDefault());
    var stop = new StopSignal();
    var files = new TestFiles(options, target);
    try (stop;
        files;
        var listeners = listeners(err);
        IorTasks workers =
            processes
                ? ProcessTasks.start(options, childArguments())
                : new ThreadTasks(options, target)) {
      IorResult result = new IorRun(options, workers, listeners.all(), stop::pause).run();
      return new IorRunRecord(
          options, typed(), began, ZonedDateTime.now(java.time.ZoneId.systemDefault()), result);
    }
  }

  private Listeners listeners(PrintWriter err) throws IOException {
    var all = new ArrayList<PhaseListener>();
    // The log first, then the announcement: the log's time is the phase's own.
    if (phaseLog != null) {
      all.add(new PhaseLogFile(phaseLog));
    }
    if (announce != null) {
      all.add(new PhaseAnnouncer(announce, application, announceWait, err));
    }
    if (!quiet) {
      all.add(new ProgressLines(repetitions, err));
    }
    return new Listeners(all);
  }

  private IorOptions options() {
    if (!api.equals("POSIX")) {
      throw new ParameterException(spec.commandLine(), "-a " + api + ": POSIX is the API there is");
    }
    boolean both = !write && !read;
    try {
      return new IorOptions(
          pfs == null && file.startsWith(PfsAddress.SCHEME + ":")
              ? emulated().directory().toString()
              : file,
          new IorOptions.Access(write || both, read || both, filePerTask, sync),
          transfer,
          block,
          segments,
          tasks,
          repetitions,
          Duration.ofSeconds(delay),
          keep);
    } catch (IllegalArgumentException | EleyException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private IorFormat format() {
    for (String key : directives.keySet()) {
      if (!key.equals("summaryFormat") && !key.equals("summaryFile")) {
        throw new ParameterException(
            spec.commandLine(), "-O " + key + ": there are summaryFormat and summaryFile");
      }
    }
    try {
      return IorFormat.of(directives.getOrDefault("summaryFormat", "default"));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** The real IOR neither announces nor logs: better said than left out in silence. */
  private void requireNothingOfOurs() {
    if (announce != null
        || phaseLog != null
        || pfs != null
        || processes
        || directives.containsKey("summaryFile")) {
      throw new ParameterException(
          spec.commandLine(),
          "--real goes without --announce, --phase-log, --pfs, --processes and summaryFile");
    }
  }

  private IorTarget target() throws EleyException {
    if (pfs != null) {
      return new PacedTarget(PfsAddress.parse(pfs));
    }
    return file.startsWith(PfsAddress.SCHEME + ":")
        ? new PacedTarget(emulated())
        : new PosixTarget();
  }

  private PfsAddress emulated() throws EleyException {
    return PfsAddress.parse(URI.create(file));
  }

  private void requireDirectory() throws IOException {
    Path parent = Path.of(options().file()).toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw new IOException("no directory " + parent + " for the test file");
    }
  }

  private void report(IorFormat format, IorRunRecord run) throws IOException {
    String summaryFile = directives.get("summaryFile");
    if (summaryFile == null) {
      PrintWriter out = spec.commandLine().getOut();
      format.write(run, out);
      out.flush();
    } else {
      try (var out = Files.newBufferedWriter(Path.of(summaryFile), StandardCharsets.UTF_8)) {
        format.write(run, out);
      }
    }
  }

  /** The options of a child that is one task. */
  private List<String> childArguments() {
    var arguments = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    arguments.remove("--processes");
    return arguments;
  }

  private String typed() {
    return "ior " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }

  private static String oneLine(Exception e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return e instanceof java.nio.file.FileSystemException
            && !(e instanceof java.nio.file.NoSuchFileException)
        ? e.getClass().getSimpleName() + ": " + text
        : text;
  }

  /** Sizes for picocli, with our own sentence when they are bad. */
  static final class SizeConverter implements CommandLine.ITypeConverter<DataSize> {
    @Override
    public DataSize convert(String text) {
      try {
        return DataSize.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
