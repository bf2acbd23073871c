package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts {@link EleyMark} on the jobs that a deployment runs in or serves, beside what their user
 * wrote in the comment. Jobs may change their own user's comments, so nobody's rights are needed.
 */
public final class JobMark {
  private static final Logger LOG = LoggerFactory.getLogger(JobMark.class);

  /** What squeue prints for a job without a comment. */
  private static final String NONE = "(null)";

  private final SlurmCommands slurm;

  /** Asks nothing yet. */
  public JobMark(SlurmCommands slurm) {
    this.slurm = slurm;
  }

  /**
   * Marks jobs that do not bear the mark yet. Blocks for two of Slurm's commands a job. A job that
   * cannot be marked is a line in the log: it costs other deployments' prefetching, nothing here.
   */
  public void put(Collection<Long> jobs) {
    for (long job : jobs) {
      try {
        put(job);
      } catch (EleyException e) {
        LOG.warn(
            "job {} cannot be marked as Eley's ({}): other deployments may hold for its reads; say"
                + " scontrol update jobid={} comment={}",
            job,
            e.getMessage(),
            job,
            EleyMark.WORD);
      }
    }
  }

  private void put(long job) throws EleyException {
    List<String> lines =
        slurm.lines(List.of("squeue", "--noheader", "--jobs=" + job, "--format=%A|%k"));
    String prefix = job + "|"; // of a heterogeneous job all components are listed
    for (String line : lines) {
      if (line.startsWith(prefix)) {
        String comment = line.substring(prefix.length());
        String present = comment.equals(NONE) ? "" : comment;
        if (!EleyMark.in(present)) {
          slurm.lines(
              List.of("scontrol", "update", "jobid=" + job, "comment=" + EleyMark.on(present)));
          LOG.info("job {} bears Eley's mark now", job);
        }
      }
    }
  }
}
