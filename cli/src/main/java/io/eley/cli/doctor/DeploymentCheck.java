package io.eley.cli.doctor;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.cli.render.Plural;
import io.eley.cli.render.TypedDeployment;
import io.eley.local.deployment.LocalDeployment;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a deployment may be, or is, in a directory, and how those are that run there. */
final class DeploymentCheck {
  private DeploymentCheck() {}

  /**
   * What was found.
   *
   * @param origin the address that the deployment has, or had
   * @param report of the one that runs
   */
  record Found(
      List<Finding> findings, Optional<String> origin, Optional<DeploymentReport> report) {}

  /**
   * Looks at a deployment's directory. Blocks for some seconds for a coordinator that hangs.
   *
   * @param usual whether it is that of who names none
   */
  static Found look(DeploymentFiles files, boolean usual) {
    try {
      OwnPaths.requireDirectoryOrPlace(files.directory());
    } catch (IOException e) {
      var finding = Finding.fail("directory", e.getMessage() + "", "name another one by -d");
      return new Found(List.of(finding), Optional.empty(), Optional.empty());
    }
    if (!Files.exists(files.coordinatorAddress())) {
      var nothing = Finding.ok("deployment", "nothing runs in " + files.directory());
      return new Found(List.of(nothing), origin(files), Optional.empty());
    }
    try (var coordinator = LocalDeployment.connect(files)) {
      DeploymentReport report = coordinator.report();
      return new Found(
          findings(files, report), Optional.of(report.originAddress()), Optional.of(report));
    } catch (EleyException e) {
      String named = usual ? "" : TypedDeployment.option("-d", files.directory());
      String hint = "see " + files.logs() + ", or `eley stop" + named + "`";
      var silent = Finding.fail("deployment", e.getMessage() + "", hint);
      return new Found(List.of(silent), origin(files), Optional.empty());
    }
  }

  private static List<Finding> findings(DeploymentFiles files, DeploymentReport report) {
    var findings = new ArrayList<Finding>();
    int nodes = report.nodes().size();
    String runs =
        report.mode().label()
            + " with "
            + Plural.of(nodes, "node")
            + " runs in "
            + files.directory();
    findings.add(
        nodes > 0
            ? Finding.ok("deployment", runs)
            : Finding.fail("deployment", runs, "see " + files.logs()));
    for (var node : report.nodes()) {
      if (node.counters().hungOriginCalls() > 0) {
        findings.add(
            Finding.warn(
                "node",
                node.id()
                    + " waits for "
                    + Plural.of(node.counters().hungOriginCalls(), "origin call"),
                "a file server hangs, or the mount does"));
      }
      if (node.counters().squeezed()) {
        findings.add(
            Finding.warn("node", "others fill the RAM-disk of " + node.id(), "make room there"));
      }
    }
    return findings;
  }

  /** The first line of the file that clients use when no coordinator answers. */
  private static Optional<String> origin(DeploymentFiles files) {
    try {
      return OwnPaths.read(files.origin()).lines().findFirst();
    } catch (IOException e) {
      return Optional.empty(); // there was no deployment yet
    }
  }
}
