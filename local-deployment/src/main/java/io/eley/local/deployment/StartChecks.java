package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What would fail later, refused in one line before anything is made or started. */
final class StartChecks {
  private StartChecks() {}

  /**
   * Refuses a directory that others can change, an origin that cannot be used, a directory in which
   * a deployment runs, and a RAM-disk without room. Blocks for as long as the origin takes to
   * answer.
   */
  static void require(DeploymentFiles files, DeploymentPlan plan) throws EleyException {
    requireTrusted(files.directory());
    Origins.open(plan.origin(), "start").close();
    if (new ProcessList(files).anyRuns()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "a deployment runs in "
              + files.directory()
              + " already; `eley stop` it, or name another --deployment");
    }
    Path ramDisk = plan.ramDisk();
    if (!Files.isDirectory(ramDisk) || !Files.isWritable(ramDisk)) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "--ram-disk " + ramDisk + " is not a directory that this user can write to");
    }
    requireRoom(plan);
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

  private static void requireRoom(DeploymentPlan plan) throws EleyException {
    long needed = Math.multiplyExact(plan.memory().bytes(), plan.nodes());
    long free;
    try {
      free = Files.getFileStore(plan.ramDisk()).getUsableSpace();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "cannot look at --ram-disk " + plan.ramDisk(), e);
    }
    if (needed > free) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          plan.nodes()
              + " nodes of "
              + plan.memory()
              + " do not fit on "
              + plan.ramDisk()
              + ", which has "
              + (free >> 20)
              + "m free; lower --memory or --nodes");
    }
  }
}
