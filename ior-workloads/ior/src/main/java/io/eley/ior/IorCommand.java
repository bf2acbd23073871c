package io.eley.ior;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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

  @Mixin private IorLetters letters = new IorLetters();

  @Mixin private Extras extras = new Extras();

  @Option(
      names = {"-q", "--quiet"},
      description = "no progress on standard error")
  private boolean quiet;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** What IOR does not have. */
  static final class Extras {
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
        names = "--warm-up",
        paramLabel = "SIZE",
        description =
            "each task first writes so much to a file of its own, unannounced and unmeasured, so"
                + " that the first phase does not pay for the JVM's start; with --announce,"
                + " announcing is rehearsed too")
    private @Nullable String warmUp;

    @Option(names = "--real", description = "run the ior that is installed here instead")
    private boolean real;

    @Option(names = "--rank", hidden = true, description = "be one task of a run with --processes")
    private int rank = -1;
  }

  /** The command on its own, for processes that are only this. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command with its error handling, for {@link #main} and for tests. */
  public static CommandLine commandLine() {
    var command = new CommandLine(new IorCommand());
    command.setParameterExceptionHandler(
        (e, args) -> {
          command.getErr().println("ior: " + IorErrorLine.of(e));
          return CommandLine.ExitCode.USAGE;
        });
    return command;
  }

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    IorOptions options = options();
    SummaryOutput output = valid(() -> letters.output());
    Optional<DataSize> warmUp =
        valid(() -> Optional.ofNullable(extras.warmUp).map(DataSize::parse));
    refuseContradictions();
    try {
      if (extras.real) {
        return real(options);
      }
      try (IorTarget target = target()) {
        if (extras.rank >= 0) {
          var task = new IorTask(options, target, extras.rank, System::nanoTime);
          return ProcessTasks.serve(task, System.in, System.out);
        }
        var job = new IorJob(options, target, commandLineText());
        if (warmUp.isPresent()) {
          job.warmUp(starter(), warmUp.get());
        }
        job.run(starter(), listeners(err), output, out());
        return 0;
      }
    } catch (IOException | UncheckedIOException e) {
      err.println("ior: " + IorErrorLine.of(e));
      err.flush();
      return FAILED;
    }
  }

  private int real(IorOptions options) throws IOException {
    var installed = new RealIor(System.getenv().getOrDefault("PATH", ""));
    if (installed.run(options, letters.directives(), out()).phases().isEmpty()) {
      throw new IOException("the installed ior reported no phase");
    }
    return 0;
  }

  private IorJob.Starter starter() {
    return (options, target) ->
        extras.processes
            ? ProcessTasks.start(options, childArguments(options))
            : new ThreadTasks(options, target, System::nanoTime);
  }

  private Listeners listeners(PrintWriter err) throws IOException {
    var all = new ArrayList<IorPhaseListener>();
    // The log first, then the announcement: the log's time is the phase's own.
    if (extras.phaseLog != null) {
      all.add(new PhaseLogFile(extras.phaseLog));
    }
    if (extras.announce != null) {
      announcer(extras.announce, err).ifPresent(all::add);
    }
    if (!quiet) {
      all.add(new ProgressLines(letters.repetitions(), err));
    }
    return new Listeners(all);
  }

  /** A load is worth running unannounced too. */
  private Optional<IorPhaseListener> announcer(Path deployment, PrintWriter err) {
    try {
      var announcer = new PhaseAnnouncer(deployment, extras.application, extras.announceWait, err);
      if (extras.warmUp != null) {
        announcer.rehearse();
      }
      return Optional.of(announcer);
    } catch (EleyException e) {
      err.println("ior: phases are not announced: " + IorErrorLine.of(e));
      err.flush();
      return Optional.empty();
    }
  }

  private IorOptions options() {
    return valid(
        () -> {
          Optional<IorStorage> behind = storage();
          boolean fileIsAddress = extras.pfs == null && behind.isPresent();
          return letters.options(fileIsAddress ? behind.get().path() : letters.file());
        });
  }

  /** What is in front of the file: {@code --pfs}, or the file's own address; not both. */
  private Optional<IorStorage> storage() throws EleyException {
    boolean address = StorageAddress.matches(letters.file());
    if (extras.pfs != null && address) {
      throw new IllegalArgumentException("--pfs needs a path as -o, which is an address itself");
    }
    if (extras.pfs != null) {
      return Optional.of(StorageAddress.find(extras.pfs));
    }
    return address
        ? Optional.of(StorageAddress.find(URI.create(letters.file())))
        : Optional.empty();
  }

  /** Something that may not make sense. */
  @FunctionalInterface
  private interface Choice<T> {
    T get() throws EleyException;
  }

  private <T> T valid(Choice<T> choice) {
    try {
      return choice.get();
    } catch (IllegalArgumentException | EleyException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** What would be ignored is refused. */
  private void refuseContradictions() {
    Map<String, Boolean> ours =
        Map.of(
            "--processes", extras.processes,
            "--announce", extras.announce != null,
            "--phase-log", extras.phaseLog != null,
            "--warm-up", extras.warmUp != null,
            "--pfs", extras.pfs != null,
            "an address as -o", StorageAddress.matches(letters.file()));
    ours.forEach(
        (option, set) -> {
          if (extras.real && set) {
            throw new ParameterException(
                spec.commandLine(), option + " does not go with --real: it is not IOR's");
          }
        });
    if (extras.announceWait && extras.announce == null) {
      throw new ParameterException(spec.commandLine(), "--announce-wait needs --announce");
    }
  }

  private IorTarget target() throws EleyException {
    Optional<IorStorage> behind = storage();
    var files = new PosixTarget();
    return behind.isPresent() ? behind.get().connect(files) : files;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** The options of a child that is one task. */
  private List<String> childArguments(IorOptions options) throws EleyException {
    var arguments = new ArrayList<>(options.letters());
    arguments.addAll(List.of("-N", Integer.toString(options.shape().tasks())));
    storage().ifPresent(behind -> arguments.addAll(List.of("--pfs", behind.address())));
    return arguments;
  }

  private String commandLineText() {
    var typed = spec.commandLine().getParseResult().originalArgs();
    String name = spec.name();
    return name
        + " "
        + String.join(
            " ",
            !typed.isEmpty() && typed.get(0).equals(name) ? typed.subList(1, typed.size()) : typed);
  }
}
