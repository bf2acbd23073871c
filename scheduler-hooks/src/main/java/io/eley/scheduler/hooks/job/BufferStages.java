package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What {@code burst_buffer.lua} does with jobs, stage by stage. Each served job gets a buffer of
 * its own: a job of the same user on the buffer's partition, which Slurm accounts for, bounds and
 * ends like any other. It is found by its name and user, and says how far it is in its comment; so
 * every stage can be repeated, and works whether or not the earlier ones ran. They run as Slurm's
 * own user, which sees and cancels everybody's jobs but submits none for them: that is asked of a
 * {@link BufferSubmitter}.
 *
 * <p>Every stage blocks until it is over; Slurm's own time limits end it. For one thread.
 */
public final class BufferStages {
  private final BufferNotes notes;
  private final BufferQueue queue;
  private final BufferHosts hosts;
  private final BufferSubmitter submitter;
  private final BufferWatch watch;

  /**
   * Does nothing yet.
   *
   * @param partition the buffers' hosts
   * @param state directory of this host that these stages write and slurmctld reads
   */
  public BufferStages(
      SlurmCommands slurm, String partition, Path state, BufferSubmitter submitter, Pause pause) {
    this.submitter = submitter;
    notes = new BufferNotes(state);
    queue = new BufferQueue(slurm, partition, notes, pause);
    hosts = new BufferHosts(slurm, partition);
    watch = new BufferWatch(queue, notes, pause);
  }

  /**
   * Has the buffer submitted. Waits for none of its hosts, which may be busy through a night: Slurm
   * gives this stage minutes ({@code OtherTimeout}).
   *
   * @param uid number of the job's user
   * @param script of the job
   * @throws EleyException in one line that becomes the job's reason
   */
  public void setup(long job, long uid, Path script) throws EleyException {
    var unused = Directive.required(script);
    notes.writeOwner(job, uid);
    if (queue.find(job).filter(BufferJob::ready).isEmpty()) {
      queue.cancel(job);
      notes.writeEnvironment(job, submitter.submit(job));
    }
  }

  /**
   * Waits until all nodes of the buffer are there, and the first input is in it. Slurm gives this
   * stage a day ({@code StageInTimeout}).
   *
   * @throws EleyException in one line that becomes the job's reason
   */
  public void dataIn(long job, Path script) throws EleyException {
    boolean stages = Directive.required(script).stageIn().isPresent();
    var shortened = new AtomicBoolean();
    BufferWatch.Condition there =
        b -> {
          if (b.tooLong() && !shortened.get()) {
            shorten(b, job); // in the watch, which bears it that Slurm does not answer
            shortened.set(true);
          }
          return b.ready() && (!stages || b.progress() == BufferProgress.STAGED);
        };
    BufferJob made = watch.await(job, there, stages ? "stage its input" : "come up");
    if (made.failed() && !made.failedToStage()) {
      queue.cancel(job);
    }
    made.requireNotFailed();
  }

  private void shorten(BufferJob buffer, long job) throws EleyException {
    Optional<BufferTimes> times = hosts.times();
    if (times.isPresent()) { // else it has asked for none
      queue.shorten(buffer, job, times.get());
    }
  }

  /** What a job finds in its environment, one {@code NAME=value} a line. */
  public String paths(long job) throws EleyException {
    return notes
            .environment(job)
            .orElseThrow(
                () ->
                    new EleyException(
                        ErrorCode.NOT_FOUND, "the buffer of job " + job + " was never set up"))
        + "\n";
  }

  /** The buffer must still be there when the job begins. */
  public void preRun(long job) throws EleyException {
    requireReady(job);
  }

  private BufferJob requireReady(long job) throws EleyException {
    var buffer = queue.find(job);
    return buffer
        .filter(BufferJob::ready)
        .orElseThrow(
            () ->
                new EleyException(
                    ErrorCode.UNAVAILABLE,
                    "the buffer of job "
                        + job
                        + " is gone"
                        + buffer.map(b -> " (" + b.state() + ", " + b.comment() + ")").orElse("")));
  }

  /** Publishes the results. */
  public void dataOut(long job, Path script) throws EleyException {
    if (Directive.required(script).stageOut().isPresent()) {
      queue.requestPublication(requireReady(job));
      watch
          .await(job, b -> b.progress() == BufferProgress.PUBLISHED, "publish its results")
          .requireNotFailed();
    }
  }

  /** Ends the buffer and forgets it; doing so again does nothing. */
  public void teardown(long job) throws EleyException {
    queue.cancel(job);
    notes.forget(job);
  }

  /**
   * All buffers and how far they were when a stage polled last, for {@code scontrol show bbstat}.
   * From files alone: slurmctld holds locks while it waits for this, and a squeue would wait for
   * those.
   */
  public List<BufferStatus> status() throws EleyException {
    var all = new ArrayList<BufferStatus>();
    for (long job : notes.jobs()) {
      List<String> noted = notes.progress(job).orElse(List.of("", "", "being set up"));
      all.add(new BufferStatus(job, noted.get(0), noted.get(1), noted.get(2)));
    }
    return all;
  }

  /**
   * Writes what {@code burst_buffer.lua} tells Slurm of the pool, and gives it; the quantity counts
   * granules. Then forgets jobs that are over: Slurm 22.05 sometimes ends its own teardown when a
   * job is cancelled while it is staged. The buffer ends by itself then, but what is noted here
   * stays.
   */
  public String pools() throws EleyException {
    String text =
        "{\"pools\":[{\"id\":\"eley\",\"quantity\":"
            + hosts.capacityMebibytes()
            + ",\"granularity\":1048576}]}\n";
    notes.writePools(text);
    EleyException kept = null;
    for (long job : notes.jobs()) {
      if (queue.isOver(job) && queue.find(job).isEmpty()) {
        try {
          notes.forget(job);
        } catch (EleyException e) {
          kept = e; // the other jobs' go
        }
      }
    }
    if (kept != null) {
      throw kept;
    }
    return text;
  }
}
