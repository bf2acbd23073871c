package io.eley.cli;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.origin.TreeDeletion;
import io.eley.coordinator.CoordinatorServer;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.coordinator.config.CoordinatorOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Does what short commands do, with a coordinator in this process: a JVM that stores at its end the
 * classes that it has loaded then stores those which such commands need. The build runs it.
 */
public final class Rehearsal {
  private static final List<String> VERBS = List.of("status", "apps", "why", "summary");

  private Rehearsal() {}

  /** Takes no arguments; leaves nothing. */
  public static void main(String[] unused) throws IOException {
    Path work = Files.createTempDirectory("eley-rehearsal-");
    try {
      rehearse(work);
    } finally {
      TreeDeletion.delete(work);
    }
    System.exit(0); // threads of the coordinator's network may still be ending
  }

  private static void rehearse(Path work) throws IOException {
    var geometry =
        new BlockGeometry(
            CoordinatorKeys.BLOCK_SIZE.defaultValue().intBytes(),
            CoordinatorKeys.CHUNK_SIZE.defaultValue().intBytes());
    var options =
        CoordinatorOptions.of(work, work.toString(), BufferMode.FULL_DELAY, geometry, "127.0.0.1");
    CoordinatorServer coordinator = CoordinatorServer.start(options);
    try {
      VERBS.forEach(verb -> Main.commandLine().execute(verb, "-d", work.toString()));
    } finally {
      coordinator.close();
    }
  }
}
