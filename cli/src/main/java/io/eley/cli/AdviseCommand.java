package io.eley.cli;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.cli.render.AdviceJson;
import io.eley.cli.render.AdviceText;
import io.eley.coordinator.ledger.JobAdvice;
import io.eley.ior.SizeConverter;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code eley advise}: what an HPC job's phases look like, and what to request for the next run.
 */
@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    description =
        "Reports from the ledger what an HPC job's phases look like, and what to request.")
final class AdviseCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "JOB",
      description = {
        "an HPC job's number, or an application's name as `eley ledger` shows it;",
        "without the number behind # it is about all runs"
      })
  private String job = "";

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "what the file system moves in a second, such as 40g; Eley does not know it")
  private @Nullable DataSize capacity;

  @Option(
      names = "--file",
      paramLabel = "PATH",
      description =
          "a ledger instead of the deployment's: ledger-JOB.csv, or a directory with ledger.csv")
  private @Nullable Path directory;

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    if (capacity != null && capacity.bytes() == 0) {
      throw new ParameterException(
          spec.commandLine(), "--capacity must be more than 0: what part of nothing is a job's?");
    }
    Path where = directory != null ? directory : deployment.files().directory();
    List<PhaseEntry> ledger = Ledgers.read(where);
    JobAdvice advice =
        JobAdvice.from(ledger, job)
            .orElseThrow(
                () ->
                    new EleyException(
                        ErrorCode.NOT_FOUND, "the ledger in " + where + " has no phase of " + job));
    var out = spec.commandLine().getOut();
    if (form.json) {
      out.println(AdviceJson.render(advice, Optional.ofNullable(capacity)));
    } else {
      AdviceText.print(advice, Optional.ofNullable(capacity), out);
    }
    return 0;
  }
}
