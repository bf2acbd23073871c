package io.eley.laboratory;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.local.deployment.LocalDeployment;
import io.eley.local.deployment.Program;
import io.eley.local.deployment.Supervision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deployments for experiments: the processes of {@code eley start}, in this process's own session.
 */
public final class LocalLauncher implements DeploymentLauncher {
  private static final Logger LOG = LoggerFactory.getLogger(LocalLauncher.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String LOOPBACK = "127.0.0.1";

  private final Function<String, List<String>> entry;

  /** Of processes that see the machine as it is. */
  public LocalLauncher() {
    this(process -> List.of());
  }

  /**
   * Of processes that enter something before they start, such as a mount namespace.
   *
   * @param entry the command for {@code coordinator}, {@code node-1} …
   */
  public LocalLauncher(Function<String, List<String>> entry) {
    this.entry = entry;
  }

  @Override
  public Deployment launch(DeploymentRequest request) throws EleyException {
    var plan =
        new DeploymentPlan(
            request.originAddress(),
            request.nodes(),
            request.memory(),
            request.mode(),
            request.geometry(),
            request.directory(),
            LOOPBACK,
            0,
            request.settings(),
            request.engineNodes());
    var files = new DeploymentFiles(request.directory().resolve("deployment"));
    var program = Program.ofThisJvm("io.eley.cli.Main").entering(entry);
    LocalDeployment.start(files, plan, program, Supervision.endingWithUs(), line -> {});
    return new Running(files, LocalDeployment.connect(files));
  }

  /** A running deployment and a connection to it. */
  private record Running(DeploymentFiles files, CoordinatorClient coordinator)
      implements Deployment {
    @Override
    public Path directory() {
      return files.directory();
    }

    @Override
    public DeploymentReport report() throws EleyException {
      return coordinator.report();
    }

    @Override
    public void close() {
      coordinator.close();
      try {
        LocalDeployment.stop(files, PATIENCE);
      } catch (EleyException e) {
        LOG.warn(
            "the deployment in {} was not removed completely: {}",
            files.directory(),
            e.getMessage());
      }
    }
  }
}
