package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.fuzz.Input;
import io.eley.fuzz.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What `eley stop` reads before it ends processes and deletes directories: whatever it says, it
 * names no process that runs and no directory that stays.
 */
public final class OwnFilesFuzz {
  private static final DeploymentFiles FILES = new DeploymentFiles(Scratch.directory());

  private OwnFilesFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    byte[] rest = Input.rest(input);
    try {
      if (Input.choice(input) % 2 == 0) {
        Path file = Scratch.file("node-1.pid", rest);
        Input.require(new PidFile(file).running().isEmpty(), "a process of somebody else's");
      } else {
        Path bystander = Files.createDirectories(Scratch.directory().resolve("eley-node-x"));
        Scratch.file(FILES.ramDisks().getFileName().toString(), rest);
        new RamDisks(FILES).remove();
        Input.require(Files.exists(bystander), "a directory that is not ours was removed");
      }
    } catch (EleyException e) {
      // As it must be.
    }
  }
}
