package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.scheduler.hooks.job.BufferJobs;
import io.eley.scheduler.hooks.job.Directive;
import io.eley.scheduler.hooks.job.SlurmCommands;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley slurm}: the stages of a job with a {@code #BB_LUA} directive, one verb each. */
@Command(
    name = "slurm",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "STAGE",
    description = {
      "The stages of a Slurm job with a burst buffer; burst_buffer.lua calls them.",
      "Users need validate and status at most. Each stage can be repeated, and works whether or not the"
          + " earlier ones ran."
    })
final class SlurmCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** What burst_buffer.lua gives to every stage. */
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

    BufferJobs jobs() {
      return new BufferJobs(new SlurmCommands(), partition, state);
    }
  }

  /** The job. */
  static final class Job {
    @Option(names = "--job", required = true, paramLabel = "ID", description = "the job's number")
    private long id;
  }

  /** Its script. */
  static final class Script {
    @Option(
        names = "--script",
        required = true,
        paramLabel = "FILE",
        description = "the job's script, with its #BB_LUA lines")
    private Path file = Path.of("");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void say(String text) {
    out().print(text);
    out().flush();
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Checks a script's directive, as Slurm does at submission.")
  int validate(@Mixin Script script) throws EleyException {
    var found = Directive.read(script.file);
    say(
        found
            .map(
                d ->
                    "capacity "
                        + d.capacity()
                        + ", origin "
                        + d.origin()
                        + d.stageIn().map(p -> ", stage in " + p).orElse("")
                        + d.stageOut().map(p -> ", stage out " + p).orElse("")
                        + "\n")
            .orElse("no #BB_LUA directive\n"));
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Makes the buffer and waits until its nodes are there; as root.")
  int setup(
      @Mixin Site site,
      @Mixin Job job,
      @Mixin Script script,
      @Option(names = "--uid", required = true, description = "the job's user") long uid,
      @Option(names = "--gid", required = true, description = "and group") long gid,
      @Option(
              names = "--jobs",
              paramLabel = "DIR",
              defaultValue = "%h/.eley/bb",
              description = "shared directory of the user's buffers; %%h is the home, %%u the name")
          String jobs,
      @Option(
              names = "--size",
              defaultValue = "0",
              description = "bytes that Slurm took from the pool, if more than the directive says")
          long size)
      throws EleyException {
    var owner = new BufferJobs.Owner(uid, gid, jobs);
    site.jobs().setup(job.id, owner, size, script.file, Layout.find().launcher());
    return 0;
  }

  @Command(
      name = "data-in",
      mixinStandardHelpOptions = true,
      description = "Waits until what matches stage_in is in the buffer.")
  int dataIn(@Mixin Site site, @Mixin Job job, @Mixin Script script) throws EleyException {
    site.jobs().dataIn(job.id, script.file);
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Prints what the job finds in its environment.")
  int paths(@Mixin Site site, @Mixin Job job) throws EleyException {
    say(site.jobs().paths(job.id));
    return 0;
  }

  @Command(
      name = "pre-run",
      mixinStandardHelpOptions = true,
      description = "Fails when the buffer is gone.")
  int preRun(@Mixin Site site, @Mixin Job job) throws EleyException {
    site.jobs().preRun(job.id);
    return 0;
  }

  @Command(
      name = "post-run",
      mixinStandardHelpOptions = true,
      description = "After the job's last process: nothing is left to do here.")
  int postRun(@Mixin Site site, @Mixin Job job) {
    // Results are published by data-out; a buffer that died meanwhile is no reason to fail the job.
    return 0;
  }

  @Command(
      name = "data-out",
      mixinStandardHelpOptions = true,
      description =
          "Publishes what the job wrote to ELEY_STAGE_OUT in stage_out, whole or not at all.")
  int dataOut(@Mixin Site site, @Mixin Job job, @Mixin Script script) throws EleyException {
    site.jobs().dataOut(job.id, script.file);
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Ends the buffer; doing so again does nothing.")
  int teardown(@Mixin Site site, @Mixin Job job) throws EleyException {
    site.jobs().teardown(job.id);
    return 0;
  }

  @Command(mixinStandardHelpOptions = true, description = "Shows all jobs' buffers.")
  int status(@Mixin Site site) throws EleyException {
    say(site.jobs().status());
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Writes how much the hosts that are up can hold, for Slurm; as root, each minute.")
  int pools(@Mixin Site site) throws EleyException {
    say(site.jobs().pools());
    return 0;
  }
}
