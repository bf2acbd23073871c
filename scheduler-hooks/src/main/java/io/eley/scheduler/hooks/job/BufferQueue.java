package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Buffers' jobs and the jobs that they serve, as Slurm's queue has them. Blocks for as long as
 * Slurm takes to answer; {@link #cancel} until the buffer is gone.
 */
final class BufferQueue {
  static final Duration POLL = Duration.ofMillis(250);

  /** Two minutes of polls. */
  static final int POLLS_FOR_AN_END = 480;

  /** A scancel that slurmctld has lost is repeated after ten seconds. */
  private static final int POLLS_BETWEEN_CANCELS = 40;

  /** Also nothing at all. A job in STAGE_OUT is not over. */
  private static final Pattern OVER =
      Pattern.compile("|CANCELLED|COMPLETED|FAILED|TIMEOUT|NODE_FAIL|BOOT_FAIL|DEADLINE");

  private final SlurmCommands slurm;
  private final String partition;
  private final BufferNotes notes;
  private final Pause pause;

  /**
   * Asks nothing yet.
   *
   * @param partition the buffers' hosts
   */
  BufferQueue(SlurmCommands slurm, String partition, BufferNotes notes, Pause pause) {
    this.slurm = slurm;
    this.partition = partition;
    this.notes = notes;
    this.pause = pause;
  }

  /** The name of a buffer's job. */
  static String nameFor(long job) {
    return "eley-bb-" + job;
  }

  /** The buffer of a job; the youngest, should there be several. */
  Optional<BufferJob> find(long job) throws EleyException {
    Optional<BufferJob> youngest = all(job).stream().max(Comparator.comparingLong(BufferJob::id));
    return youngest.isEmpty() ? youngest : said(youngest.get());
  }

  /** The same with what it says; empty when Slurm has forgotten it meanwhile. */
  private Optional<BufferJob> said(BufferJob buffer) throws EleyException {
    var question =
        List.of("squeue", "--noheader", "--jobs=" + buffer.id(), "--format=" + BufferJob.SAID);
    Output answer = slurm.run(question);
    return isUnknown(answer)
        ? Optional.empty()
        : Optional.of(buffer.saying(SlurmCommands.lines(question, answer)));
  }

  private static boolean isUnknown(Output answer) {
    return answer.status() != 0 && answer.complaint().contains("nvalid job id");
  }

  /**
   * By name, but of the job's own user only: everybody may name a job as he likes. What they say is
   * not asked for. The owner is not noted before setup, and then there is no buffer.
   */
  private List<BufferJob> all(long job) throws EleyException {
    Optional<String> owner = notes.owner(job);
    if (owner.isEmpty()) {
      return List.of();
    }
    return slurm
        .lines(
            List.of(
                "squeue",
                "--noheader",
                "--format=" + BufferJob.FORMAT,
                "--name=" + nameFor(job),
                "--user=" + owner.get(),
                "--partition=" + partition))
        .stream()
        .flatMap(line -> BufferJob.parse(line, owner.get()).stream())
        .toList();
  }

  /**
   * Ends the buffer of a job and waits until Slurm has forgotten it; does nothing without one.
   *
   * @throws EleyException {@code DEADLINE} when it is still there after two minutes
   */
  void cancel(long job) throws EleyException {
    for (int poll = 0; poll < POLLS_FOR_AN_END; poll++) {
      List<BufferJob> there = all(job);
      if (there.isEmpty()) {
        return;
      }
      for (BufferJob each : there) {
        if (!each.ending() && poll % POLLS_BETWEEN_CANCELS == 0) {
          slurm.run(List.of("scancel", Long.toString(each.id())));
        }
      }
      pause.forTime(POLL);
    }
    throw new EleyException(ErrorCode.DEADLINE, "the buffer of job " + job + " does not end");
  }

  /**
   * Lets a buffer ask for less than the longest time. Slurm lets everybody do so with his own jobs,
   * and its own user with all.
   */
  void shorten(BufferJob buffer, long job, BufferTimes times) throws EleyException {
    String time = times.shorter(ServedJob.limit(slurm, job));
    slurm.lines(List.of("scontrol", "update", "JobId=" + buffer.id(), "TimeLimit=" + time));
  }

  /** Asks the buffer's script to publish the results. */
  void requestPublication(BufferJob buffer) throws EleyException {
    slurm.lines(List.of("scancel", "--signal=USR1", "--batch", Long.toString(buffer.id())));
  }

  /**
   * Whether the served job is over. Slurm ends a stage whose job is cancelled, but a cancellation
   * between two stages it can miss. A squeue that fails says nothing about the job.
   *
   * @throws EleyException when squeue hangs: who asks about many jobs would hang as often
   */
  boolean isOver(long job) throws EleyException {
    Output state =
        slurm.run(List.of("squeue", "--noheader", "--jobs=" + job, "--format=%T", "--states=all"));
    return state.status() == 0 ? OVER.matcher(state.text().strip()).matches() : isUnknown(state);
  }
}
