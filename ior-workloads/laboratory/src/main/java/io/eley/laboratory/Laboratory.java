package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;
import io.eley.emulated.pfs.PfsTrace;
import io.eley.report.ObservedPhase;
import io.eley.workloads.Workload;
import io.eley.workloads.WorkloadResult;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** What a run needs besides a deployment, ready to use. The port behind which processes start. */
public interface Laboratory {
  /** The origin as {@code --origin} takes it. */
  String originAddress();

  /** What the origin has recorded from a sequence number on. */
  PfsTrace traceFrom(long sequence) throws EleyException;

  /** Whether {@link #traceFrom} tells both sides' bytes as they move, and not only afterwards. */
  default boolean tellsWhileItMoves() {
    return true;
  }

  /** An empty directory for a run; the caller deletes it. */
  Path directory(String name) throws EleyException;

  /**
   * Starts the HPC application.
   *
   * @param directory of the run, for its log
   * @param deployment to announce phases to; null for no announcements
   */
  Hpc startHpc(Path directory, @Nullable Deployment deployment) throws EleyException;

  /**
   * Submits an application that reads the input through a deployment.
   *
   * @param directory of the run, for its output and log
   * @param progress part of the map phase's tasks that have ended, 0 to 1; on another thread
   */
  Spark submit(Workload workload, Path directory, Deployment deployment, DoubleConsumer progress)
      throws EleyException;

  /** A running HPC application. */
  interface Hpc extends AutoCloseable {
    boolean alive();

    /** Complete phases so far, in order. */
    List<ObservedPhase> phases() throws EleyException;

    /** Whether a phase has begun and not ended. */
    boolean inPhase() throws EleyException;

    /** Its name and last output, for an error message. */
    String lastWords();

    /** Ends it. May be repeated. */
    @Override
    void close();
  }

  /** A running Spark application. */
  interface Spark extends AutoCloseable {
    boolean alive();

    /** Waits for the end, for a bounded time. */
    WorkloadResult await() throws EleyException;

    /** Ends it. May be repeated. */
    @Override
    void close();
  }
}
