package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.cli.render.Json;
import io.eley.cli.render.PermitSentences;
import io.eley.cli.render.StatusJson;
import io.eley.local.deployment.LocalDeployment;
import io.eley.scheduler.hooks.job.UserJobs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        "a path on the origin (/in/part-0), a byte of one (/in/part-0@1048576, its block), a task"
            + " (APPLICATION/STAGE/PARTITION), or an application"
      })
  private List<String> words = List.of();

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Mixin private JobsOption jobs = new JobsOption();

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    boolean ofAJob = !words.isEmpty() && UserJobs.isNumber(words.get(0));
    List<String> targets = ofAJob ? words.subList(1, words.size()) : words;
    if (targets.size() > 1) {
      throw new ParameterException(
          spec.commandLine(), "'" + words.get(0) + "' is no number of a job");
    }
    try (var coordinator = LocalDeployment.connect(files(ofAJob))) {
      if (targets.isEmpty()) {
        DeploymentReport report = coordinator.report();
        print(List.of(PermitSentences.render(report)), StatusJson.permits(report));
      } else {
        String target = onOrigin(targets.get(0), coordinator.view().originAddress());
        requireFile(coordinator, target);
        print(coordinator.why(target), Map.of("target", target));
      }
      return 0;
    }
  }

  /** A path below the origin, of one as Spark or the shell has it; other targets as they are. */
  static String onOrigin(String typed, String originAddress) {
    String path = typed.replaceFirst("^(bb|file):(//)?(?=/)", "");
    String origin = Origins.path(originAddress).replaceFirst("/$", "");
    return !origin.isEmpty() && path.startsWith(origin + "/")
        ? path.substring(origin.length())
        : path;
  }

  /** Says that a path is none of a file, which is what most questions about nothing come from. */
  private static void requireFile(CoordinatorClient coordinator, String target)
      throws EleyException {
    if (target.startsWith("/")
        && coordinator.stat(target.replaceFirst("@\\d{1,18}$", ""), false).directory()) {
      throw new EleyException(ErrorCode.NOT_FOUND, target + " is a directory: name a file in it");
    }
  }

  private void print(List<String> lines, Map<String, Object> facts) {
    var out = spec.commandLine().getOut();
    if (form.json) {
      var fields = new LinkedHashMap<>(facts);
      fields.put("lines", lines);
      out.println(Json.document(fields));
    } else {
      lines.forEach(out::println);
    }
    out.flush();
  }

  private DeploymentFiles files(boolean ofAJob) throws EleyException {
    return ofAJob
        ? new DeploymentFiles(jobs.jobs().deployment(jobs.number(words.get(0))))
        : deployment.files();
  }
}
