package io.eley.cli;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.PermitSentences;
import io.eley.local.deployment.LocalDeployment;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eley why}: why the permits are what they are now, in two sentences. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = {
      "Says why prefetching goes on or is held now, or why a thing is in the buffer or not.",
      "Without TARGET it is two sentences about the permits."
    })
final class WhyCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..2",
      paramLabel = "JOB|TARGET",
      description = {
        "the number of a Slurm job with a buffer, and then or instead",
        "a path on the origin (/in/part-0), a byte of one (/in/part-0@1048576, its block), or a task"
            + " (APPLICATION/STAGE/PARTITION)"
      })
  private List<String> words = List.of();

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Mixin private JobsOption jobs = new JobsOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    boolean ofAJob = !words.isEmpty() && words.get(0).matches("\\d+([+_]\\d+)?");
    List<String> targets = ofAJob ? words.subList(1, words.size()) : words;
    if (targets.size() > 1) {
      throw new ParameterException(
          spec.commandLine(), "'" + words.get(0) + "' is no number of a job");
    }
    try (var coordinator = LocalDeployment.connect(files(ofAJob))) {
      var out = spec.commandLine().getOut();
      if (targets.isEmpty()) {
        out.println(PermitSentences.render(coordinator.report()));
      } else {
        coordinator.why(targets.get(0)).forEach(out::println);
      }
      spec.commandLine().getOut().flush();
      return 0;
    }
  }

  private DeploymentFiles files(boolean ofAJob) throws EleyException {
    return ofAJob
        ? new DeploymentFiles(jobs.jobs().deployment(jobs.jobs().number(words.get(0))))
        : deployment.files();
  }
}
