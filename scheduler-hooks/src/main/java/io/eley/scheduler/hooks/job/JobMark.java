package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts {@link EleyMark} on the jobs that a deployment runs in or serves, beside what their user
 * wrote in the comment, and takes it off again at the deployment's end: a job may go on without
 * Eley, and its phases are somebody's then. A mark that was there before is not ours to take. Jobs
 * may change their own user's comments, so nobody's rights are needed.
 *
 * <p>For one thread at a time. Blocks for Slurm's commands, each as long as the port lets it.
 */
public final class JobMark {
  private static final Logger LOG = LoggerFactory.getLogger(JobMark.class);

  /** Environment variable: the job that this deployment serves, when it is not part of it. */
  private static final String SERVED_JOB = "ELEY_SERVED_JOB";

  /** What squeue prints for a job without a comment. */
  private static final String NONE = "(null)";

  private final SlurmCommands slurm;
  private final Set<Long> marked = new LinkedHashSet<>();

  /** Asks nothing yet. */
  public JobMark(SlurmCommands slurm) {
    this.slurm = slurm;
  }

  /**
   * A job as Slurm lists it.
   *
   * @param name which changes nothing else: the number of an array's last task is the array's, and
   *     that of a heterogeneous job's first component the whole job's
   */
  private record Listed(String name, String comment) {}

  /** The job that this process is part of, with its components, and the one that it serves. */
  public static Set<Long> ourJobs(Map<String, String> environment) {
    var jobs = new HashSet<Long>();
    environment.forEach(
        (name, value) -> {
          if (name.matches("SLURM_JOB_ID(_HET_GROUP_\\d+)?|" + SERVED_JOB)
              && value.matches("\\d{1,18}")) {
            jobs.add(Long.parseLong(value));
          }
        });
    return jobs;
  }

  /**
   * Those of the jobs that {@link #put} would mark. Blocks for one of Slurm's commands a job.
   *
   * @throws EleyException when Slurm does not answer
   */
  public List<Long> unmarked(Collection<Long> jobs) throws EleyException {
    var unmarked = new ArrayList<Long>();
    for (long job : jobs) {
      if (bare(job).isPresent()) {
        unmarked.add(job);
      }
    }
    return unmarked;
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
    Optional<Listed> bare = bare(job);
    if (bare.isPresent()) {
      marked.add(job); // a command that fails may have done it
      change(bare.get().name(), EleyMark.on(bare.get().comment()));
      LOG.info("job {} bears Eley's mark now", job);
    }
  }

  /**
   * Takes the mark off the jobs that {@link #put} has put it on; what their user wrote meanwhile
   * stays. Blocks for two commands a job. A job that keeps it is a line in the log.
   */
  public void takeOff() {
    for (long job : marked) {
      try {
        Optional<Listed> listed = listed(job);
        if (listed.isPresent() && EleyMark.in(listed.get().comment())) {
          change(listed.get().name(), EleyMark.without(listed.get().comment()));
        }
      } catch (EleyException e) {
        LOG.warn(
            "job {} may still bear Eley's mark ({}): while it runs nobody holds for its I/O; take"
                + " the word {} out of its comment",
            job,
            e.getMessage(),
            EleyMark.WORD);
      }
    }
    marked.clear();
  }

  private Optional<Listed> bare(long job) throws EleyException {
    return listed(job).filter(listed -> !EleyMark.in(listed.comment()));
  }

  private Optional<Listed> listed(long job) throws EleyException {
    String prefix = job + "|"; // of an array and of a heterogeneous job all parts are listed
    return slurm
        .lines(List.of("squeue", "--noheader", "--jobs=" + job, "--format=%A|%i|%k"))
        .stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()).split("\\|", 2))
        .filter(parts -> parts.length == 2)
        .map(parts -> new Listed(parts[0], parts[1].equals(NONE) ? "" : parts[1]))
        .findFirst();
  }

  private void change(String name, String comment) throws EleyException {
    slurm.lines(List.of("scontrol", "update", "jobid=" + name, "comment=" + comment));
  }
}
