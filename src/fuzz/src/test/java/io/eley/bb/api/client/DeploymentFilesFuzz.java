package io.eley.bb.api.client;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.fuzz.Input;
import io.eley.fuzz.Scratch;
import java.io.IOException;
import java.nio.file.Path;

/** What a client reads in a deployment directory: the address, the origin, the secret. */
public final class DeploymentFilesFuzz {
  private static final DeploymentFiles FILES = new DeploymentFiles(Scratch.directory());
  private static final ClientOptions.Deployment DEPLOYMENT =
      ClientOptions.Deployment.in(Scratch.directory());

  private DeploymentFilesFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    int choice = Input.choice(input) % 3;
    Path file =
        switch (choice) {
          case 0 -> FILES.coordinatorAddress();
          case 1 -> FILES.origin();
          default -> FILES.secret();
        };
    Scratch.file(file.getFileName().toString(), Input.rest(input));
    try {
      switch (choice) {
        case 0 -> DEPLOYMENT.address();
        case 1 -> DEPLOYMENT.origin();
        default -> DEPLOYMENT.credentials();
      }
    } catch (EleyException e) {
      // As it must be.
    }
  }
}
