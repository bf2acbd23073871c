package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.WorkloadResult;

/** An application that Spark's own submission runs. */
public record SubmittedSpark(SparkSubmission submission) implements Laboratory.Spark {
  /** A progress in parts of the map phase, of one in tasks. */
  public static double part(int done, int total) {
    return total == 0 ? 0 : (double) done / total;
  }

  @Override
  public boolean alive() {
    return submission.process().isAlive();
  }

  @Override
  public WorkloadResult await() throws EleyException {
    return submission.await();
  }

  @Override
  public void close() {
    submission.close();
  }
}
