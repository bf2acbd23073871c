package io.eley.scheduler.hooks.slurm;

import io.eley.bb.api.edge.NameRule;

/**
 * A running job, as {@code squeue} shows it.
 *
 * @param id its number
 * @param hetJob number of the first component of its heterogeneous job; {@code id} without one
 * @param name {@code --job-name}
 * @param user who runs it
 * @param account charged
 * @param partition it runs in
 * @param comment its own word, {@code --comment}
 * @param adminComment what an administrator says of it
 * @param nodes Slurm's list of its nodes
 */
public record SlurmJob(
    long id,
    long hetJob,
    String name,
    String user,
    String account,
    String partition,
    String comment,
    String adminComment,
    String nodes) {
  /**
   * The job's name in phases, the ledger and forecasts; the same for each run but for the number.
   * What a user may give a job as its name, we may not take as it is: it is escaped and cut.
   */
  public String application() {
    return NameRule.JOB.made(name) + "@" + NameRule.USER.made(user) + "#" + id;
  }

  /** Whether it bears the mark of Eley's own jobs, which nobody holds for. */
  public boolean isEleys() {
    return EleyMark.in(comment) || EleyMark.in(adminComment);
  }

  /** Whether its comment says that it does I/O now: it contains the word {@code phase=io}. */
  public boolean saysPhase() {
    return EleyMark.words(comment).contains("phase=io");
  }
}
