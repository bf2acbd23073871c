package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.node.NodeKeys;
import io.eley.scheduler.hooks.job.JobScript;
import io.eley.scheduler.hooks.job.JobSubmission;
import io.eley.scheduler.hooks.job.SlurmCommands;
import io.eley.scheduler.hooks.job.SlurmRequest;
import io.eley.scheduler.hooks.job.SparkShare;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of a job with Spark and its buffer, whoever waits for it. */
final class JobMixin {
  /** A day. */
  private static final int MOST_SECONDS = 86_400;

  @Mixin private JobOptions.Sizes sizes = new JobOptions.Sizes();

  @Mixin private JobOptions.Spark spark = new JobOptions.Spark();

  @Mixin private JobOptions.Slurm slurm = new JobOptions.Slurm();

  @Mixin private JobOptions.Places places = new JobOptions.Places();

  @Mixin private BufferOptions buffer = new BufferOptions();

  @Mixin private EngineOptions engine = new EngineOptions();

  @Option(
      names = "--no-watch",
      description = "do not look for other jobs' I/O in Slurm's accounting")
  private boolean noWatch;

  @Option(
      names = "--ready",
      paramLabel = "SECONDS",
      description = "how long all parts may take to come up (default: ${DEFAULT-VALUE})")
  private int ready = JobScript.READY_SECONDS;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb = CommandSpec.create();

  /**
   * The job's script; each old name of a key is said on the verb's standard error. Blocks while
   * another engine is asked what it has.
   */
  JobScript script(List<String> command) throws EleyException {
    sizes.require();
    SparkShare share = spark.share();
    SlurmRequest request = slurm.request();
    Numbers.require("--ready", ready, 1, MOST_SECONDS);
    Map<String, String> known = buffer.today(verb.commandLine().getErr()::println);
    JobScript.Places where = places.places();
    places.putInto(known, where.spark());
    if (!buffer.noScratch) {
      known.putIfAbsent(NodeKeys.SPARK_HOME.name(), where.spark().toString());
    }
    buffer.overflow.putInto(known);
    Optional<Integer> workers =
        engine
            .look(where.origin(), sizes.nodes(), known, System.getenv())
            .map(found -> found.workers().size());
    JobScript.Sizes parts = sizes.sizes(workers);
    return new JobScript(
        parts, share, where, buffer.mode, !noWatch, ready, request, known, command);
  }

  /** To the Slurm of this host. */
  static JobSubmission submission() {
    return new JobSubmission(SlurmCommands.ofThisHost());
  }
}
