package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.SizeOptions;
import io.eley.cli.render.TypedDeployment;
import io.eley.local.deployment.LocalDeployment;
import io.eley.scheduler.hooks.job.UserJobs;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * A deployment: that of a job by the job's number, or the one that {@link DeploymentOption} says.
 */
final class DeploymentOrJob {
  @Mixin DeploymentOption deployment = new DeploymentOption();

  @Mixin JobsOption jobs = new JobsOption();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB",
      description = "the number of a Slurm job with a buffer: its deployment, from any host")
  @Nullable String job;

  DeploymentFiles files() throws EleyException {
    return job == null
        ? deployment.files()
        : new DeploymentFiles(jobs.jobs().deployment(number(job)));
  }

  /** How it was named, for commands that can be typed here. */
  TypedDeployment typed() throws EleyException {
    return job == null
        ? deployment.typed()
        : TypedDeployment.of(job, jobs.typed(), files().directory());
  }

  /** By which options it got its size: a job's own, whether its number was typed or not. */
  SizeOptions sizes() throws EleyException {
    Path directory = files().directory();
    if (UserJobs.isOfADirective(directory)) {
      return SizeOptions.OF_A_DIRECTIVE;
    }
    boolean ofAJob = job != null || UserJobs.isOfAJob(directory);
    return ofAJob ? SizeOptions.OF_A_JOB : SizeOptions.OF_THIS_MACHINE;
  }

  /** A connection to the coordinator, or one line that says why there is none. */
  CoordinatorClient connect() throws EleyException {
    return LocalDeployment.connect(files());
  }

  /** What was said at the end of a job that is over. */
  Optional<Path> summary() throws EleyException {
    return job == null ? Optional.empty() : jobs.jobs().summary(jobs.number(job));
  }

  /** The ledger's file, or the directory that it is in; of a job also when it is over. */
  Path ledger() throws EleyException {
    return job == null ? deployment.files().directory() : jobs.jobs().ledger(number(job));
  }

  /** The job that was typed. Blocks for Slurm when it is one of an array. */
  long number(String typed) throws EleyException {
    return jobs.number(typed);
  }
}
