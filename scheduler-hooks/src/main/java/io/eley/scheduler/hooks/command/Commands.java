package io.eley.scheduler.hooks.command;

import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a program and gives what is kept of what it printed. It gets no input, and at most the given
 * time; a program that overstays is killed with its children. One that cannot be killed (it sleeps
 * in the kernel) costs two threads; after {@value #MOST_STUCK} of those nothing is started any more
 * until one of them is gone.
 *
 * <p>For one thread at a time. Blocks.
 */
public final class Commands implements CommandRunner {
  private static final int MOST_ERRORS = 256 << 10;
  private static final int MOST_STUCK = 3;
  private static final List<String> HABITS =
      List.of("SQUEUE_", "SINFO_", "SCANCEL_", "SACCT_", "SLURM_TIME_FORMAT");
  private static final Duration LAST_WORDS = Duration.ofMillis(200);

  private final Duration deadline;
  private final Map<String, String> environment;
  private final List<Process> stuck = new ArrayList<>();

  /**
   * A runner with limits.
   *
   * @param deadline of each run, positive
   * @param environment added to this process's own
   */
  public Commands(Duration deadline, Map<String, String> environment) {
    this.deadline = deadline;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Output run(List<String> command) throws SignalException, InterruptedException {
    return run(command, Keeping.ALL);
  }

  @Override
  public Output run(List<String> command, Keeping keeping)
      throws SignalException, InterruptedException {
    stuck.removeIf(p -> !p.isAlive());
    if (stuck.size() >= MOST_STUCK) {
      throw SignalException.failed(
          name(command) + " hangs: " + stuck.size() + " of them cannot be killed");
    }
    Process process = start(command);
    try {
      var text =
          CompletableFuture.supplyAsync(
              () -> read(process.getInputStream(), keeping), Commands::daemon);
      var errors =
          CompletableFuture.supplyAsync(
              () -> read(process.getErrorStream(), Commands::begin), Commands::daemon);
      if (!process.waitFor(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        throw SignalException.failed(
            name(command) + " did not end within " + deadline.toMillis() + " ms");
      }
      // A child that it left behind may hold its output open.
      return new Output(process.exitValue(), in(text), in(errors));
    } finally {
      end(process);
    }
  }

  private Process start(List<String> command) throws SignalException {
    try {
      var builder = new ProcessBuilder(command);
      builder.redirectInput(Path.of("/dev/null").toFile());
      prepare(name(command), builder.environment());
      builder.environment().putAll(environment);
      return builder.start();
    } catch (IOException e) {
      throw NoProgram.named(name(command), e);
    }
  }

  /**
   * What a person filters and formats his own lists by, as SQUEUE_USERS in a profile (squeue(1),
   * "Environment variables"), would hide from us whom he does not want to see. But what sbatch has
   * it hands on to the job, whose it is.
   */
  static void prepare(String program, Map<String, String> environment) {
    if (!program.equals("sbatch")) {
      environment.keySet().removeIf(key -> HABITS.stream().anyMatch(key::startsWith));
      environment.put("LC_ALL", "C.UTF-8");
    }
  }

  private String in(CompletableFuture<String> output) throws SignalException, InterruptedException {
    try {
      return output.get(LAST_WORDS.toMillis() + deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw SignalException.failed("its output cannot be read: " + e.getMessage());
    } catch (TimeoutException e) {
      throw SignalException.failed("its output does not end");
    }
  }

  private void end(Process process) {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      if (process.isAlive()) {
        stuck.add(process);
      }
    }
  }

  /** To the end, or the program would wait for somebody to read on. */
  private static String read(InputStream in, Keeping keeping) {
    try (in) {
      String kept = keeping.of(in);
      in.transferTo(OutputStream.nullOutputStream());
      return kept;
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static String begin(InputStream errors) throws IOException {
    return new String(errors.readNBytes(MOST_ERRORS), StandardCharsets.UTF_8);
  }

  private static void daemon(Runnable work) {
    var thread = new Thread(work, "eley-command-output");
    thread.setDaemon(true);
    thread.start();
  }

  private static String name(List<String> command) {
    return Path.of(command.get(0)).getFileName() + "";
  }
}
