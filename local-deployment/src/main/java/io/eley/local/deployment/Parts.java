package io.eley.local.deployment;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.node.NodeKeys;
import io.eley.coordinator.config.CoordinatorKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command lines of a deployment's processes.
 *
 * @param program that has the verbs {@code coordinator} and {@code node}
 */
record Parts(DeploymentFiles files, DeploymentPlan plan, Program program) {
  /** All processes, the coordinator first; each node has its directory on the RAM-disk then. */
  List<Part> make() throws EleyException {
    var parts = new ArrayList<Part>();
    parts.add(coordinator());
    for (int i = 1; i <= plan.nodes(); i++) {
      Map<String, String> own =
          plan.engineNodes().isEmpty() ? Map.of() : plan.engineNodes().get(i - 1);
      parts.add(node(LocalDeployment.NODE + "-" + i, own));
    }
    return parts;
  }

  private Part coordinator() {
    var settings = new LinkedHashMap<String, String>();
    settings.put(CoordinatorKeys.DIRECTORY.name(), files.directory().toString());
    settings.put(CoordinatorKeys.ORIGIN.name(), plan.origin());
    settings.put(CoordinatorKeys.MODE.name(), plan.mode().label());
    settings.put(CoordinatorKeys.BLOCK_SIZE.name(), Integer.toString(plan.geometry().blockSize()));
    settings.put(CoordinatorKeys.CHUNK_SIZE.name(), Integer.toString(plan.geometry().chunkSize()));
    settings.put(CoordinatorKeys.LISTEN_HOST.name(), plan.host());
    settings.put(CoordinatorKeys.PORT.name(), Integer.toString(plan.port()));
    String verb = LocalDeployment.COORDINATOR;
    int heap = heap(StartKeys.COORDINATOR_HEAP);
    return new Part(verb, program.entry(verb), command(verb, heap, settings, Map.of()));
  }

  /** In MiB. */
  private int heap(ConfigKey<DataSize> key) {
    return (int) (Settings.of(plan.settings()).get(key).bytes() >> 20);
  }

  private Part node(String name, Map<String, String> ofEngine) throws EleyException {
    Path blocks = new RamDisks(files).create(plan.ramDisk(), name);
    var settings = new LinkedHashMap<String, String>();
    settings.put(ClientKeys.DEPLOYMENT.name(), files.directory().toString());
    settings.put(NodeKeys.DIRECTORY.name(), blocks.toString());
    settings.put(NodeKeys.MEMORY.name(), plan.memory().toString());
    settings.put(NodeKeys.LISTEN_HOST.name(), plan.host());
    Optional<Path> overflow = StartChecks.overflow(plan);
    if (overflow.isPresent()) {
      Path own = new RamDisks(files).create(overflow.get(), name);
      return part(name, settings, Map.of(NodeKeys.OVERFLOW_DIRECTORY.name(), own.toString()));
    }
    return part(name, settings, ofEngine);
  }

  private Part part(String name, Map<String, String> settings, Map<String, String> own) {
    return new Part(
        name,
        program.entry(name),
        command(LocalDeployment.NODE, heap(StartKeys.NODE_HEAP), settings, own));
  }

  /**
   * What the user has set wins.
   *
   * @param own values of this process alone in place of what the user has set for all
   */
  private List<String> command(
      String verb, int heap, Map<String, String> settings, Map<String, String> own) {
    var all = new LinkedHashMap<>(settings);
    all.putAll(plan.settings());
    all.putAll(own);
    var arguments = new ArrayList<String>();
    all.forEach((key, value) -> arguments.addAll(List.of("-D", key + "=" + value)));
    return program.command(verb, heap, arguments);
  }
}
