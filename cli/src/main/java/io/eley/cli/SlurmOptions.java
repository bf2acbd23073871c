package io.eley.cli;

import io.eley.scheduler.hooks.job.BufferStages;
import io.eley.scheduler.hooks.job.Pause;
import io.eley.scheduler.hooks.job.SlurmCommands;
import io.eley.scheduler.hooks.submission.SubmissionClient;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code burst_buffer.lua} gives to the stages of {@code eley slurm}. */
final class SlurmOptions {
  private SlurmOptions() {}

  /** To every stage. */
  static final class Site {
    @Option(
        names = "--state",
        paramLabel = "DIR",
        defaultValue = "/var/lib/eley/slurm",
        description = "directory on slurmctld's host (default: ${DEFAULT-VALUE})")
    private Path state = Path.of("/var/lib/eley/slurm");

    @Mixin private Hosts hosts = new Hosts();
    @Mixin private Socket socket = new Socket();

    BufferStages stages() {
      return new BufferStages(
          SlurmCommands.ofThisHost(),
          hosts.partition,
          state,
          new SubmissionClient(socket.path),
          Pause.sleeping());
    }
  }

  /** To every stage and to the service. */
  static final class Hosts {
    @Option(
        names = "--partition",
        paramLabel = "NAME",
        defaultValue = "eley",
        description = "the buffer's hosts (default: ${DEFAULT-VALUE})")
    String partition = "eley";
  }

  /** Where stages and service meet. */
  static final class Socket {
    @Option(
        names = "--socket",
        paramLabel = "PATH",
        defaultValue = "/run/eley-slurm/submit",
        description = "where `eley slurm serve` listens (default: ${DEFAULT-VALUE})")
    Path path = Path.of("/run/eley-slurm/submit");
  }

  /** The job. */
  static final class Job {
    @Option(names = "--job", required = true, paramLabel = "ID", description = "the job's number")
    long id;
  }

  /** Its script. */
  static final class Script {
    @Option(
        names = "--script",
        required = true,
        paramLabel = "FILE",
        description = "the job's script, with its #BB_LUA lines")
    Path file = Path.of("");
  }

  /** A job whose buffer is to be made. */
  static final class NewJob {
    @Mixin Job job = new Job();
    @Mixin Script script = new Script();

    @Option(
        names = "--uid",
        required = true,
        paramLabel = "NUMBER",
        description = "number of the job's user")
    long uid;
  }
}
