package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.JobTable;
import io.eley.cli.render.Json;
import io.eley.scheduler.hooks.job.UserJob;
import java.util.List;
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
      "Their numbers are what `eley status`, `top`, `why`, `apps`, `phase list`, `logs`, `ledger`,"
          + " `summary` and `stop` take."
    })
final class JobsCommand implements Callable<Integer> {
  @Mixin private JobsOption jobs = new JobsOption();

  @Mixin private JsonOption form = new JsonOption();

  @Mixin private WatchOption watch = new WatchOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    watch.look(spec.commandLine().getOut(), this::print);
    return 0;
  }

  private void print() throws EleyException {
    var out = spec.commandLine().getOut();
    List<UserJob> found = jobs.jobs().list();
    out.print(form.json ? Json.document("jobs", found) + "\n" : JobTable.render(found));
    out.flush();
  }
}
