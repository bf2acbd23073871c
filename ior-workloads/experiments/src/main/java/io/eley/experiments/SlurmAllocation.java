package io.eley.experiments;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A Slurm job that does nothing but hold a node, so that each phase of IOR can be a step of it:
 * that is what accounting sees. It is cancelled when closed.
 *
 * @param id of the job
 */
record SlurmAllocation(String id) implements AutoCloseable {
  /** Of the job, for the rule which jobs are HPC. */
  static final String NAME = "eley-ior";

  private static final Pattern GRANTED = Pattern.compile("Granted job allocation (\\d+)");
  private static final int PATIENCE_SECONDS = 60;

  /** Asks for one and waits until it is granted. */
  static SlurmAllocation allocate() throws EleyException {
    String said = run(List.of("salloc", "--no-shell", "-n1", "-J", NAME));
    var granted = GRANTED.matcher(said);
    if (!granted.find()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "no Slurm job: " + said.strip());
    }
    return new SlurmAllocation(granted.group(1));
  }

  /** A command as a step of the job. */
  List<String> step(List<String> command) {
    var words = new ArrayList<>(List.of("srun", "--jobid=" + id, "--overlap", "-n1"));
    words.addAll(command);
    return words;
  }

  @Override
  public void close() throws EleyException {
    run(List.of("scancel", id));
  }

  private static String run(List<String> command) throws EleyException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new EleyException(ErrorCode.DEADLINE, command.get(0) + " does not answer");
      }
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot run " + command.get(0) + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
    }
  }
}
