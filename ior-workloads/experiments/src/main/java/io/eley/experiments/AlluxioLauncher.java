package io.eley.experiments;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.laboratory.AlluxioCluster;
import io.eley.laboratory.Deployment;
import io.eley.laboratory.DeploymentLauncher;
import io.eley.laboratory.DeploymentRequest;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Deployments over an Alluxio of their own: its workers are on the hosts where our nodes would be,
 * its master is with the coordinator, and all of it is new, so that each run begins cold.
 */
final class AlluxioLauncher implements DeploymentLauncher {
  private final AlluxioPrograms programs;
  private final Hosts hosts;
  private final DeploymentLauncher launcher;

  /** Starts what is ours of a deployment with another launcher. */
  AlluxioLauncher(AlluxioPrograms programs, Hosts hosts, DeploymentLauncher launcher) {
    this.programs = programs;
    this.hosts = hosts;
    this.launcher = launcher;
  }

  @Override
  public Deployment launch(DeploymentRequest request) throws EleyException {
    AlluxioCluster cluster = cluster(request);
    try {
      return new Together(launcher.launch(over(cluster, request)), cluster);
    } catch (EleyException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private AlluxioCluster cluster(DeploymentRequest request) throws EleyException {
    try {
      return AlluxioCluster.start(
          new AlluxioCluster.Options(
              programs.servers(),
              request.directory().resolve("alluxio"),
              Path.of(request.originAddress()),
              request.nodes(),
              roomy(request.memory()),
              new DataSize(request.geometry().blockSize()),
              host -> hosts.deployment(host == 0 ? "coordinator" : "node-" + host)));
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "Alluxio does not start: " + e.getMessage(), e);
    }
  }

  /** A worker evicts when it is nearly full; ours is to have what one of our own nodes has. */
  private static DataSize roomy(DataSize memory) {
    return new DataSize(memory.bytes() + memory.bytes() / 4);
  }

  private DeploymentRequest over(AlluxioCluster cluster, DeploymentRequest request) {
    var settings = new LinkedHashMap<>(request.settings());
    settings.put("eley.alluxio.master", cluster.master());
    settings.put(
        "eley.alluxio.client",
        programs.clientJars().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator)));
    List<Map<String, String>> nodes =
        cluster.workers().stream().map(each -> Map.of("eley.alluxio.worker", each)).toList();
    return request.over(settings, nodes);
  }

  private record Together(Deployment ours, AlluxioCluster cluster) implements Deployment {
    @Override
    public Path directory() {
      return ours.directory();
    }

    @Override
    public DeploymentReport report() throws EleyException {
      return ours.report();
    }

    /** Ours first, since its nodes free what they hold there. */
    @Override
    public void close() {
      ours.close();
      cluster.close();
    }
  }
}
