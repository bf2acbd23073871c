package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Submits a job with Spark and its buffer. What would fail later is refused before, in one line.
 * Blocks for three commands of Slurm.
 */
public final class JobSubmission {
  private final SlurmCommands slurm;

  public JobSubmission(SlurmCommands slurm) {
    this.slurm = slurm;
  }

  /**
   * Submits.
   *
   * @return the job's number
   * @throws EleyException in one line: no origin, no Slurm or an old one, no host that is large
   *     enough, or Slurm's own words
   */
  public long submit(JobScript script) throws EleyException {
    Path origin = script.places().origin();
    if (!Files.isDirectory(origin)) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "the origin " + origin + " is no directory here; it must be mounted on all nodes");
    }
    slurm.requireSlurm();
    slurm.requireRoom(script.mebibytesOfANode());
    return slurm.submit(script.text(), List.of());
  }
}
