package io.eley.chaos;

import io.eley.bb.api.origin.TreeDeletion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A private directory for all that an experiment makes; closing removes it with what is in it.
 *
 * @param path of the directory, mode 0700
 */
record ChaosDirectory(Path path) implements AutoCloseable {
  /** Makes one below the temp directory. */
  static ChaosDirectory create() throws IOException {
    return new ChaosDirectory(Files.createTempDirectory("eley-chaos-"));
  }

  @Override
  public void close() throws IOException {
    TreeDeletion.delete(path);
  }
}
