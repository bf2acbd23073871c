package io.eley.cli;

import io.eley.scheduler.hooks.job.BufferStages;
import io.eley.scheduler.hooks.job.JobOwner;
import io.eley.scheduler.hooks.job.Pause;
import io.eley.scheduler.hooks.job.SlurmCommands;
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

    @Option(
        names = "--partition",
        paramLabel = "NAME",
        defaultValue = "eley",
        description = "the buffer's hosts (default: ${DEFAULT-VALUE})")
    private String partition = "eley";

    BufferStages stages() {
      return new BufferStages(
          SlurmCommands.ofThisHost(),
          partition,
          state,
          System.getenv().getOrDefault("PATH", "/usr/bin:/bin"),
          Pause.sleeping());
    }
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

    @Option(names = "--uid", required = true, description = "the job's user")
    private long uid;

    @Option(names = "--gid", required = true, description = "and group")
    private long gid;

    @Option(
        names = "--jobs",
        paramLabel = "DIR",
        defaultValue = "%h/.eley/bb",
        description = "shared directory of the user's buffers; %%h is the home, %%u the name")
    private String jobs = "";

    @Option(
        names = "--size",
        defaultValue = "0",
        description = "bytes that Slurm took from the pool, if more than the directive says")
    long size;

    JobOwner owner() {
      return new JobOwner(uid, gid, jobs);
    }
  }
}
