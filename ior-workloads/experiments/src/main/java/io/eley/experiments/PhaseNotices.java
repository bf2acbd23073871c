package io.eley.experiments;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.local.deployment.LocalDeployment;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is notified of an HPC application's phases. As with {@code eley phase run}, a coordinator
 * that does not answer keeps no phase from running.
 */
interface PhaseNotices extends AutoCloseable {
  /** Nobody is. */
  PhaseNotices NONE =
      new PhaseNotices() {
        @Override
        public void begin(String application) {}

        @Override
        public void end(String application) {}

        @Override
        public void close() {}
      };

  /** Is called before IOR starts. */
  void begin(String application);

  /** Is called when IOR has ended. */
  void end(String application);

  @Override
  void close();

  /** The coordinator of a deployment. */
  static PhaseNotices to(Path deployment) throws EleyException {
    var coordinator = LocalDeployment.connect(new DeploymentFiles(deployment));
    return new Announced(
        new LeasedPhases(LeasedPhases.Announcements.by(coordinator), Announced.LEASE));
  }

  /** Announcements over a connection, which is closed with them. */
  record Announced(LeasedPhases phases) implements PhaseNotices {
    private static final Logger LOG = LoggerFactory.getLogger(Announced.class);
    private static final Duration LEASE = Duration.ofMinutes(5);

    @Override
    public void begin(String application) {
      try {
        phases.begin(application);
      } catch (EleyException e) {
        LOG.warn("a phase is not announced: {}", e.getMessage());
      }
    }

    @Override
    public void end(String application) {
      try {
        phases.end(application);
      } catch (EleyException e) {
        LOG.warn("a phase's end is not announced: {}", e.getMessage());
      }
    }

    @Override
    public void close() {
      phases.close();
    }
  }
}
