package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.cli.render.SourceWarnings;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.local.deployment.LocalDeployment;
import io.eley.local.deployment.Program;
import io.eley.local.deployment.Teardown;
import io.eley.scheduler.hooks.job.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Starts a deployment under a supervisor of its own, which is {@code eley start --foreground}.
 *
 * @param files where it will be
 * @param progress takes a line at each step and for each source that sees nothing
 */
record SupervisedStart(DeploymentFiles files, Consumer<String> progress) {
  private static final int SUPERVISOR_HEAP_MEBIBYTES = 48;

  /** It looks once at the origin with Hadoop's classes, or at Alluxio with Alluxio's. */
  private static final int SUPERVISOR_WITH_CLIENTS_MEBIBYTES = 160;

  private static final Duration LOOK = Duration.ofMillis(50);

  /** So often, for two seconds. */
  private static final int MOST_LOOKS = 40;

  /** This command line, as processes of a deployment run it. */
  static Program program() {
    return Program.ofThisJvm(Main.class.getName());
  }

  /** The same as {@link #start(DeploymentPlan, List, Teardown)}; nothing ends it by itself. */
  void start(DeploymentPlan plan, List<String> typed) throws EleyException {
    start(plan, typed, Teardown.detached());
  }

  /**
   * Starts it and waits until it is there. Blocks.
   *
   * @param typed the words behind the verb that made the plan
   * @param end ends it, from the moment on at which there is something to end
   */
  void start(DeploymentPlan plan, List<String> typed, Teardown end) throws EleyException {
    var words = new ArrayList<>(typed);
    words.add("--foreground");
    int heap = SUPERVISOR_HEAP_MEBIBYTES;
    String originClasses = plan.settings().get(OriginKeys.CLASS_PATH.name());
    if (originClasses != null) {
      // That process does not know where this installation is.
      words.addAll(List.of("-D", OriginKeys.CLASS_PATH.name() + "=" + originClasses));
      heap = SUPERVISOR_WITH_CLIENTS_MEBIBYTES;
    }
    if (!plan.engineNodes().isEmpty()) {
      heap = SUPERVISOR_WITH_CLIENTS_MEBIBYTES;
    }
    List<String> supervisor = program().command("start", heap, words);
    LocalDeployment.startSupervised(files, plan, supervisor, progress, end);
    warn();
  }

  /** It runs, whatever becomes of this look: whoever started it needs to know how to use it. */
  private void warn() {
    try (var coordinator = LocalDeployment.connect(files)) {
      SourceWarnings.of(lookedAround(coordinator)).forEach(progress);
    } catch (EleyException e) {
      progress.accept("what sees phases is not known yet (eley status): " + e.getMessage());
    }
  }

  /** A report for which every source has been looked at, unless one takes very long. */
  private static DeploymentReport lookedAround(CoordinatorClient coordinator) throws EleyException {
    DeploymentReport report = coordinator.report();
    for (int i = 0; i < MOST_LOOKS && !SourceWarnings.known(report); i++) {
      Pause.sleeping().forTime(LOOK);
      report = coordinator.report();
    }
    return report;
  }
}
