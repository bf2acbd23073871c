package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.TypedDeployment;
import io.eley.local.deployment.LocalDeployment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option by which verbs name a deployment. */
final class DeploymentOption {
  @Option(
      names = {"-d", "--deployment"},
      paramLabel = "DIR",
      description = "the deployment's directory (default: $ELEY_DEPLOYMENT, or ~/.eley/deployment)")
  private @Nullable Path directory;

  /** The deployment that a user means who names none. */
  static DeploymentFiles standard() {
    return DeploymentFiles.standard(System.getenv(), Home.directory());
  }

  DeploymentFiles files() {
    return directory == null ? standard() : new DeploymentFiles(directory);
  }

  /** How it was named. */
  TypedDeployment typed() {
    return directory == null ? TypedDeployment.USUAL : TypedDeployment.of(directory);
  }

  /** A connection to the coordinator, or one line that says that nothing runs there. */
  CoordinatorClient connect() throws EleyException {
    return LocalDeployment.connect(files());
  }
}
