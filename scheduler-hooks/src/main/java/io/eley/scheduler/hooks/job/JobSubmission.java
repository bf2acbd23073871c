package io.eley.scheduler.hooks.job;

import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Submits a job with Spark and its buffer. What would fail later is refused before, in one line.
 * Blocks for three commands of Slurm.
 */
public final class JobSubmission {
  /** What Slurm writes of a whole array where the number of a task would stand. */
  private static final String NO_TASK = "4294967294";

  private final SlurmCommands slurm;

  public JobSubmission(SlurmCommands slurm) {
    this.slurm = slurm;
  }

  /**
   * Refuses what would fail later.
   *
   * <p>Blocks for as long as an origin behind Hadoop's clients takes to answer.
   *
   * @throws EleyException in one line: no origin, a place for the job's files that others can write
   *     to, no Slurm or an old one, no host that is large enough
   */
  public void check(JobScript script) throws EleyException {
    requireOrigin(script);
    requireOwn(script.places().jobs());
    slurm.requireSlurm();
    slurm.requireRoom(script.mebibytesOfANode(), script.partsOfANode());
  }

  private static void requireOrigin(JobScript script) throws EleyException {
    String origin = script.places().origin();
    if (!Origins.onOwnClassPath(origin)) {
      String classes = script.settings().getOrDefault(OriginKeys.CLASS_PATH.name(), "");
      Origins.open(origin, "sbatch", classes).close();
    } else if (!Files.isDirectory(Path.of(origin))) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "the origin " + origin + " is no directory here; it must be mounted on all nodes");
    }
  }

  /**
   * Submits.
   *
   * @return the job's number
   * @throws EleyException as {@link #check} does, or with Slurm's own words
   */
  public long submit(JobScript script) throws EleyException {
    check(script);
    return slurm.submit(script.text(), script.options());
  }

  /**
   * Where a job's output goes; empty when Slurm does not say, since the job is submitted anyway.
   *
   * @param array whether it is one, in whose output's name {@code N} stands for a task's number
   */
  public Optional<String> output(long job, boolean array) {
    try {
      return slurm.outputOf(job).map(file -> array ? file.replace(NO_TASK, "N") : file);
    } catch (EleyException e) {
      return Optional.empty();
    }
  }

  /** The job's deployment directory will be there, and nothing uses one that others can change. */
  private static void requireOwn(Path jobs) throws EleyException {
    try {
      OwnPaths.requireDirectoryOrPlace(jobs);
    } catch (EleyException e) {
      throw new EleyException(e.code(), "--jobs: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "--jobs " + jobs + ": " + e, e);
    }
  }
}
