package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Submits the job of a buffer, as root for the user whose job is to be served. */
final class BufferSubmission {
  private final SlurmCommands slurm;
  private final BufferHosts hosts;
  private final BufferNotes notes;
  private final String path;

  /**
   * Submits nothing yet.
   *
   * @param path the PATH of the buffer's script
   */
  BufferSubmission(SlurmCommands slurm, BufferHosts hosts, BufferNotes notes, String path) {
    this.slurm = slurm;
    this.hosts = hosts;
    this.notes = notes;
    this.path = path;
  }

  /**
   * Submits, and notes what the served job will find in its environment.
   *
   * @param eley the launcher, on all hosts
   */
  void submit(long job, JobOwner owner, Directive directive, Path eley) throws EleyException {
    User user = user(owner.uid());
    Path jobs = Path.of(owner.jobs().replace("%h", user.home()).replace("%u", user.name()));
    int nodes = hosts.fewestFor(directive.capacity());
    var script = new BufferScript(job, directive, nodes, eley, jobs);
    slurm.submit(
        script.text(),
        List.of(
            "--uid=" + owner.uid(),
            "--gid=" + owner.gid(),
            "--partition=" + hosts.partition(),
            "--nodes=" + nodes,
            "--ntasks-per-node=1",
            "--mem=" + script.mebibytesOfAHost() + "M",
            "--job-name=" + BufferQueue.nameFor(job),
            "--comment=" + EleyMark.on("waiting for hosts"),
            "--chdir=/",
            "--output=/dev/null",
            "--no-requeue",
            "--export=HOME=" + user.home() + ",PATH=" + path));
    notes.writeEnvironment(
        job,
        script.environment().entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue() + "\n")
            .collect(Collectors.joining()));
  }

  private record User(String name, String home) {}

  private User user(long uid) throws EleyException {
    List<String> entry = slurm.lines(List.of("getent", "passwd", Long.toString(uid)));
    String[] fields = entry.isEmpty() ? new String[0] : entry.get(0).split(":", -1);
    if (fields.length < 7 || !fields[5].startsWith("/")) {
      throw new EleyException(ErrorCode.NOT_FOUND, "user " + uid + " has no home directory here");
    }
    return new User(fields[0], fields[5]);
  }
}
