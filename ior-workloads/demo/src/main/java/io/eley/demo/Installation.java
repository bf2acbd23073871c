package io.eley.demo;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the pieces are that experiments run, in a build tree or in an unpacked release.
 *
 * @param sparkClassPath file with Spark's jars as one class path line
 * @param connectorJar the jar for Spark, with bb-api inside
 * @param workloadsJar the jar with the Spark applications
 * @param emulatedPfsJar the jar by which Spark, too, reads from the emulated PFS
 * @param ownClassPath class path on which an experiment's own processes (emulated PFS, IOR) run
 * @param commit of the project, or null when it is not known
 */
public record Installation(
    Path sparkClassPath,
    Path connectorJar,
    Path workloadsJar,
    Path emulatedPfsJar,
    List<Path> ownClassPath,
    @Nullable String commit) {
  public Installation {
    ownClassPath = List.copyOf(ownClassPath);
  }

  /**
   * Checks that everything is there.
   *
   * @throws EleyException {@code NOT_FOUND} naming the first piece that is missing
   */
  public void verify() throws EleyException {
    var pieces =
        new ArrayList<>(List.of(sparkClassPath, connectorJar, workloadsJar, emulatedPfsJar));
    pieces.addAll(ownClassPath);
    for (var piece : pieces) {
      if (!Files.isReadable(piece)) {
        throw new EleyException(
            ErrorCode.NOT_FOUND, "missing " + piece + "; build the project first (mvn package)");
      }
    }
  }
}
