package io.eley.experiments;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.laboratory.Deployment;
import io.eley.local.deployment.LocalDeployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A deployment whose reports are taken note of, and whose ledger and logs are kept when it ends; or
 * none at all, whose report is empty.
 */
final class ObservedDeployment implements Deployment {
  private static final Logger LOG = LoggerFactory.getLogger(ObservedDeployment.class);

  private final @Nullable Deployment real;
  private final Path directory;
  private final Path kept;
  private final Consumer<DeploymentReport> observer;
  private boolean closed;

  /**
   * Observes.
   *
   * @param real the deployment; null for none
   * @param directory of the deployment, or an empty one
   * @param kept where its files go
   * @param observer gets every report that is asked for
   */
  ObservedDeployment(
      @Nullable Deployment real, Path directory, Path kept, Consumer<DeploymentReport> observer) {
    this.real = real;
    this.directory = directory;
    this.kept = kept;
    this.observer = observer;
  }

  @Override
  public Path directory() {
    return real == null ? directory : real.directory();
  }

  @Override
  public DeploymentReport report() throws EleyException {
    var report = real == null ? nothing() : real.report();
    observer.accept(report);
    return report;
  }

  /** Ends a node without a warning; false when there was none that ran. */
  boolean killANode() {
    try {
      return LocalDeployment.running(new DeploymentFiles(directory()), "node-" + Hosts.NODES)
          .map(ProcessHandle::destroyForcibly)
          .orElse(false);
    } catch (EleyException e) {
      LOG.warn("the node was not killed: {}", e.getMessage());
      return false;
    }
  }

  @Override
  public void close() {
    if (real == null || closed) {
      return;
    }
    closed = true;
    keepReport();
    real.close();
    var files = new DeploymentFiles(directory());
    keep(files.ledger(), kept.resolve("ledger.csv"));
    try (var logs = Files.list(files.logs())) {
      logs.forEach(log -> keep(log, kept.resolve(log.getFileName().toString())));
    } catch (IOException e) {
      LOG.warn("logs are not kept: {}", e.toString());
    }
  }

  private void keepReport() {
    try {
      var last = report();
      var text = new StringBuilder("permits: " + last.permitReason() + "\n");
      last.control().sources().forEach(source -> text.append(source).append('\n'));
      last.control().models().forEach(model -> text.append(model).append('\n'));
      last.nodes().forEach(node -> text.append(node).append('\n'));
      Files.writeString(kept.resolve("status.txt"), text);
    } catch (IOException e) {
      LOG.warn("the deployment's status is not kept: {}", e.getMessage());
    }
  }

  private static void keep(Path from, Path to) {
    try {
      if (Files.exists(from)) {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      LOG.warn("{} is not kept: {}", from, e.toString());
    }
  }

  private static DeploymentReport nothing() {
    return new DeploymentReport(
        BufferMode.NAIVE_BB,
        "",
        0,
        0,
        "",
        List.of(),
        new DeploymentReport.Control("", List.of(), List.of(), List.of()),
        List.of(),
        List.of());
  }
}
