package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.JobTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eley jobs}: the user's own Slurm jobs with a buffer. */
@Command(
    name = "jobs",
    mixinStandardHelpOptions = true,
    description = {
      "Lists your Slurm jobs with a buffer: those in the queue, and the latest that have left files.",
      "Their numbers are what `eley status`, `why`, `apps`, `ledger` and `stop` take."
    })
final class JobsCommand implements Callable<Integer> {
  @Mixin private JobsOption jobs = new JobsOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var out = spec.commandLine().getOut();
    out.print(JobTable.render(jobs.jobs().list(System.getProperty("user.name"))));
    out.flush();
    return 0;
  }
}
