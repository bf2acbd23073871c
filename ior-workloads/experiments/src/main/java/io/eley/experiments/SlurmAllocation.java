package io.eley.experiments;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.local.deployment.Teardown;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A Slurm job that does nothing but hold a node, so that each phase of IOR can be a step of it:
 * that is what accounting sees. A run has it before anything else begins: in the queue it waits for
 * as long as Slurm likes, and Spark would go on alone meanwhile. It is taken back when closed,
 * whether it has been granted or waits still; that may happen on another thread.
 */
final class SlurmAllocation implements AutoCloseable {
  /** Of the job, for the rule which jobs are HPC. */
  static final String NAME = "eley-ior";

  private static final Pattern ASKED = Pattern.compile("Pending job allocation (\\d+)");
  private static final Pattern GRANTED = Pattern.compile("Granted job allocation (\\d+)");

  private static final int PATIENCE_SECONDS = 60;

  private final Slurm slurm;
  private final Process salloc;
  private final Path said;

  /**
   * Slurm's commands.
   *
   * @param program where a command of this name is
   * @param grace after which {@code salloc} that is told to end is killed
   */
  record Slurm(UnaryOperator<String> program, Duration grace) {
    /** What is on {@code PATH}. */
    static final Slurm INSTALLED = new Slurm(name -> name, Duration.ofSeconds(30));
  }

  private SlurmAllocation(Slurm slurm, Process salloc, Path said) {
    this.slurm = slurm;
    this.salloc = salloc;
    this.said = said;
  }

  /**
   * Asks for one and waits until it is granted, however long that takes.
   *
   * @param said for what {@code salloc} says
   * @param teardown takes it back; it has it as soon as it is asked for
   * @param note takes a line for each minute in the queue
   */
  static SlurmAllocation allocate(Slurm slurm, Path said, Teardown teardown, Consumer<String> note)
      throws EleyException {
    try {
      var asked = teardown.start(() -> ask(slurm, said));
      asked.await(note);
      return asked;
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot run salloc: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
    }
  }

  private static SlurmAllocation ask(Slurm slurm, Path said) throws IOException {
    var command = List.of(slurm.program().apply("salloc"), "--no-shell", "-n1", "-J", NAME);
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(Path.of("/dev/null").toFile()).redirectOutput(said.toFile());
    return new SlurmAllocation(slurm, builder.start(), said);
  }

  private void await(Consumer<String> note) throws IOException, InterruptedException {
    for (int minutes = 1; !salloc.waitFor(1, TimeUnit.MINUTES); minutes++) {
      note.accept("IOR's Slurm job has been in the queue for " + minutes + " min");
    }
    if (number(GRANTED).isEmpty()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "no Slurm job: " + words());
    }
  }

  /** A command as a step of the job. */
  List<String> step(List<String> command) throws EleyException {
    var id = number(GRANTED);
    if (id.isEmpty()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "no Slurm job: " + words());
    }
    var words =
        new ArrayList<>(
            List.of(slurm.program().apply("srun"), "--jobid=" + id.get(), "--overlap", "-n1"));
    words.addAll(command);
    return words;
  }

  /** Blocks until Slurm has been told; fails when Slurm did not take it. */
  @Override
  public void close() throws EleyException {
    // Of itself salloc takes a request back, which is why it is not killed; only one that had to be
    // leaves it in the queue.
    boolean obeyed = end();
    var id = number(GRANTED).or(() -> obeyed ? Optional.empty() : number(ASKED));
    if (id.isPresent()) {
      cancel(id.get());
    }
  }

  private boolean end() {
    salloc.destroy();
    boolean interrupted = false;
    boolean ended = false;
    try {
      ended = salloc.waitFor(slurm.grace().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    salloc.destroyForcibly();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended;
  }

  private void cancel(String id) throws EleyException {
    try {
      var process =
          new ProcessBuilder(slurm.program().apply("scancel"), id)
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new EleyException(ErrorCode.DEADLINE, "scancel " + id + " does not answer");
      }
      if (process.exitValue() != 0) {
        var why = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        throw new EleyException(ErrorCode.UNAVAILABLE, "scancel " + id + ": " + why.strip());
      }
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot run scancel " + id + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted at scancel " + id, e);
    }
  }

  private Optional<String> number(Pattern line) {
    var found = line.matcher(words());
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  private String words() {
    try {
      return Files.readString(said).strip();
    } catch (IOException e) {
      return "what salloc said cannot be read: " + e;
    }
  }

  @Override
  public String toString() {
    return "IOR's Slurm job (" + words() + ")";
  }
}
