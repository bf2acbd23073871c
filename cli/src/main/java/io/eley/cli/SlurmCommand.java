package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.BufferTable;
import io.eley.cli.render.Json;
import io.eley.scheduler.hooks.job.BufferStatus;
import io.eley.scheduler.hooks.job.Directive;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eley slurm}: the stages of a job with a {@code #BB_LUA} directive, one verb each. */
@Command(
    name = "slurm",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "STAGE",
    subcommands = SlurmServeCommand.class,
    description = {
      "The stages of a Slurm job with a burst buffer; burst_buffer.lua calls them as SlurmUser.",
      "Users need validate and status at most. Each stage can be repeated, and works whether or not the"
          + " earlier ones ran."
    })
final class SlurmCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  private int print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Checks a script's directive, as Slurm does at submission.")
  int validate(@Mixin SlurmOptions.Script script) throws EleyException {
    var found = Directive.read(script.file);
    return print(found.map(Directive::describe).orElse("no #BB_LUA directive") + "\n");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Has the buffer submitted, and waits for nothing.")
  int setup(@Mixin SlurmOptions.Site site, @Mixin SlurmOptions.NewJob made) throws EleyException {
    site.stages().setup(made.job.id, made.uid, made.script.file);
    return 0;
  }

  @Command(
      name = "data-in",
      mixinStandardHelpOptions = true,
      description = "Waits until the buffer is there, and what matches stage_in is in it.")
  int dataIn(
      @Mixin SlurmOptions.Site site, @Mixin SlurmOptions.Job job, @Mixin SlurmOptions.Script script)
      throws EleyException {
    site.stages().dataIn(job.id, script.file);
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Prints what the job finds in its environment.")
  int paths(@Mixin SlurmOptions.Site site, @Mixin SlurmOptions.Job job) throws EleyException {
    return print(site.stages().paths(job.id));
  }

  @Command(
      name = "pre-run",
      mixinStandardHelpOptions = true,
      description = "Fails when the buffer is gone.")
  int preRun(@Mixin SlurmOptions.Site site, @Mixin SlurmOptions.Job job) throws EleyException {
    site.stages().preRun(job.id);
    return 0;
  }

  @Command(
      name = "post-run",
      mixinStandardHelpOptions = true,
      description = "After the job's last process: nothing is left to do here.")
  int postRun(@Mixin SlurmOptions.Site site, @Mixin SlurmOptions.Job job) {
    // Results are published by data-out; a buffer that died meanwhile is no reason to fail the job.
    return 0;
  }

  @Command(
      name = "data-out",
      mixinStandardHelpOptions = true,
      description =
          "Publishes what the job wrote to ELEY_STAGE_OUT in stage_out, whole or not at all.")
  int dataOut(
      @Mixin SlurmOptions.Site site, @Mixin SlurmOptions.Job job, @Mixin SlurmOptions.Script script)
      throws EleyException {
    site.stages().dataOut(job.id, script.file);
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Ends the buffer; doing so again does nothing.")
  int teardown(@Mixin SlurmOptions.Site site, @Mixin SlurmOptions.Job job) throws EleyException {
    site.stages().teardown(job.id);
    return 0;
  }

  @Command(mixinStandardHelpOptions = true, description = "Shows all jobs' buffers.")
  int status(@Mixin SlurmOptions.Site site, @Mixin JsonOption form) throws EleyException {
    List<BufferStatus> buffers = site.stages().status();
    return print(
        form.json ? Json.document("buffers", buffers) + "\n" : BufferTable.render(buffers));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Writes how much the hosts that are up can hold, for Slurm; as SlurmUser, each minute.")
  int pools(@Mixin SlurmOptions.Site site) throws EleyException {
    return print(site.stages().pools());
  }
}
