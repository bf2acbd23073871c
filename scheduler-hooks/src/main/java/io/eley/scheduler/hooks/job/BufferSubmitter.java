package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;

/**
 * The port to whoever may submit jobs for other users. Blocks until Slurm has taken the job or
 * refused it.
 */
@FunctionalInterface
public interface BufferSubmitter {
  /**
   * Submits the buffer that a waiting job's directive asks for, with the rights of that job's user.
   *
   * @param job that is to be served; everything else about it is Slurm's to say
   * @return what the served job finds in its environment, one {@code NAME=value} a line
   * @throws EleyException in one line that becomes the served job's reason
   */
  String submit(long job) throws EleyException;
}
