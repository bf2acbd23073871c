package io.eley.emulated.pfs;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.Durations;
import io.eley.bb.api.wire.Secret;
import io.eley.ior.SizeConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The emulated PFS as a process. It prints its address once it listens, and runs until it is told
 * to end (TERM); with {@code --trace} it writes what it granted as tab-separated lines first.
 */
@Command(
    name = "emulated-pfs",
    mixinStandardHelpOptions = true,
    description = "Grants bandwidth on a directory out of one shared capacity.")
public final class EmulatedPfsMain implements Callable<Integer> {
  @Option(
      names = "--capacity",
      defaultValue = "200m",
      converter = SizeConverter.class,
      description = "bytes per second that all clients share (default: ${DEFAULT-VALUE})")
  private DataSize capacity = DataSize.ofMebibytes(200);

  @Option(
      names = "--stream-rate",
      converter = SizeConverter.class,
      description = "bytes per second that one stream can move at most (default: the capacity)")
  private @Nullable DataSize streamRate;

  @Option(
      names = "--latency",
      defaultValue = "500us",
      converter = DurationConverter.class,
      description = "added to every request, for example 500us or 2ms (default: ${DEFAULT-VALUE})")
  private Duration latency = Duration.ofNanos(500_000);

  @Option(names = "--directory", required = true, description = "the directory behind it")
  private Path directory = Path.of("");

  @Option(names = "--port", defaultValue = "0", description = "TCP port, 0 for a free one")
  private int port;

  @Option(names = "--port-file", description = "file to write the port into once it listens")
  private @Nullable Path portFile;

  @Option(
      names = "--secret-file",
      required = true,
      description = "file with the secret; made with mode 0600 when it does not exist")
  private Path secretFile = Path.of("");

  @Option(
      names = "--trace-limit",
      defaultValue = "" + EmulatedPfsOptions.DEFAULT_TRACE_LIMIT,
      description = "grants remembered (default: ${DEFAULT-VALUE})")
  private int traceLimit;

  @Option(names = "--trace", description = "file to write the grants into at the end")
  private @Nullable Path traceFile;

  @Spec private @Nullable CommandSpec spec;

  private EmulatedPfsMain() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** The command line; returns the exit code after the end. Blocks while the PFS runs. */
  static int run(String... args) {
    return new CommandLine(new EmulatedPfsMain())
        .setExecutionExceptionHandler(
            (e, line, result) -> {
              line.getErr().println("emulated-pfs: " + e.getMessage());
              return 1;
            })
        .execute(args);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path real = requireDirectory();
    Secret secret = Files.exists(secretFile) ? Secret.load(secretFile) : Secret.create(secretFile);
    var pfs =
        EmulatedPfs.start(
            new EmulatedPfsOptions(
                capacity.bytes(),
                (streamRate == null ? capacity : streamRate).bytes(),
                latency,
                port,
                traceLimit,
                secret));
    var stop = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(pfs, stop), "pfs-end"));
    announce(new PfsAddress(pfs.address(), real, secretFile.toAbsolutePath()));
    stop.await();
    return 0;
  }

  private Path requireDirectory() throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException("--directory " + directory + " is not a directory");
    }
    return directory.toRealPath();
  }

  private void announce(PfsAddress address) throws IOException {
    if (portFile != null) {
      Path partial = portFile.resolveSibling(portFile.getFileName() + ".partial");
      Files.writeString(partial, address.server().getPort() + "\n");
      Files.move(
          partial, portFile, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    PrintWriter out = java.util.Objects.requireNonNull(spec).commandLine().getOut();
    out.println("emulated PFS at " + address);
    out.flush();
  }

  private void end(EmulatedPfs pfs, CountDownLatch stop) {
    pfs.close();
    if (traceFile != null) {
      try {
        writeTrace(pfs.trace(), traceFile);
      } catch (IOException e) {
        System.err.println("emulated-pfs: cannot write the trace: " + e.getMessage());
      }
    }
    stop.countDown();
  }

  private static void writeTrace(PfsTrace trace, Path file) throws IOException {
    try (var out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println("epochMicros\tclient\tcause\toperation\tbytes");
      for (var e : trace.events()) {
        out.println(
            String.join(
                "\t",
                Long.toString(e.epochMicros()),
                e.client(),
                e.cause(),
                e.operation(),
                Integer.toString(e.bytes())));
      }
      if (out.checkError()) {
        throw new IOException("writing " + file + " failed");
      }
    }
  }

  /** Durations as everywhere in Eley, and microseconds, which only a latency needs. */
  static final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return text.matches("\\d{1,12}us")
            ? Duration.ofNanos(1000 * Long.parseLong(text.substring(0, text.length() - 2)))
            : Durations.parse(text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }
}
