package io.eley.local.deployment;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.server.node.NodeKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What would fail later, refused in one line before anything is made or started. */
final class StartChecks {
  private StartChecks() {}

  /**
   * Refuses a directory that others can change, an origin that cannot be used, a directory in which
   * a deployment runs or may run on another host, and a RAM-disk without room. Blocks for as long
   * as the origin takes to answer.
   */
  static void require(DeploymentFiles files, DeploymentPlan plan) throws EleyException {
    requireTrusted(files.directory());
    String classes = Settings.of(plan.settings()).get(OriginKeys.CLASS_PATH);
    Origins.open(plan.origin(), "start", classes).close();
    requireNoneRuns(files);
    requireWritable("--ram-disk", plan.ramDisk());
    if (plan.engineNodes().isEmpty()) {
      requireRoom(plan, "--ram-disk", plan.ramDisk(), plan.memory(), "--memory");
    }
    Optional<Path> overflow = overflow(plan);
    if (overflow.isPresent()) {
      requireWritable("--overflow", overflow.get());
      DataSize size = Settings.of(plan.settings()).get(NodeKeys.OVERFLOW_SIZE);
      requireRoom(plan, "--overflow", overflow.get(), size, "its size");
    }
  }

  /** Refuses a directory in which a deployment runs, or may run on another host. */
  static void requireNoneRuns(DeploymentFiles files) throws EleyException {
    var processes = new ProcessList(files);
    Optional<String> elsewhere = processes.elsewhere();
    if (elsewhere.isPresent()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, elsewhere.get() + "; or name another --deployment");
    }
    if (processes.anyRuns()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "a deployment runs in "
              + files.directory()
              + " already; `eley stop` it, or name another --deployment");
    }
  }

  /** Where each node makes a private directory for intermediate data, if anywhere. */
  static Optional<Path> overflow(DeploymentPlan plan) {
    String directory = Settings.of(plan.settings()).get(NodeKeys.OVERFLOW_DIRECTORY);
    return directory.isBlank() ? Optional.empty() : Optional.of(Path.of(directory));
  }

  private static void requireWritable(String option, Path directory) throws EleyException {
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          option + " " + directory + " is not a directory that this user can write to");
    }
  }

  /** Refuses a directory that somebody else has made or can write to. */
  static void requireTrusted(Path directory) throws EleyException {
    try {
      OwnPaths.requireDirectoryOrPlace(directory);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot look at " + directory + ": " + e.getMessage(), e);
    }
  }

  private static void requireRoom(
      DeploymentPlan plan, String option, Path directory, DataSize ofEach, String lower)
      throws EleyException {
    long needed = Math.multiplyExact(ofEach.bytes(), plan.nodes());
    long free;
    try {
      free = Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, "cannot look at " + option + " " + directory, e);
    }
    if (needed > free) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          plan.nodes()
              + " nodes of "
              + ofEach
              + " do not fit on "
              + directory
              + ", which has "
              + (free >> 20)
              + "m free; lower "
              + lower
              + " or --nodes");
    }
  }
}
