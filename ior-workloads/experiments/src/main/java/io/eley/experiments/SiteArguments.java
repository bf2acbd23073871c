package io.eley.experiments;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where to run, as the command line has it. */
final class SiteArguments {
  @Option(
      names = "--origin",
      paramLabel = "DIR",
      description = "a directory on the file system; all hosts share the mount it is on")
  private @Nullable Path origin;

  @Option(
      names = "--mounts",
      paramLabel = "DIR",
      split = ",",
      description = {
        "instead, as root: mounts of the file system, one a host, separated by commas",
        "in this order: IOR's tasks, 2 Spark workers, 2 nodes, coordinator with driver"
      })
  private List<Path> mounts = new ArrayList<>();

  @Option(
      names = "--mpirun",
      paramLabel = "COMMAND",
      defaultValue = "mpirun",
      description = "starts IOR's tasks; -n N follows (default: ${DEFAULT-VALUE})")
  private String mpirun = "mpirun";

  @Option(
      names = "--ior",
      paramLabel = "COMMAND",
      defaultValue = "ior",
      description = "IOR 4.0 or newer (default: ${DEFAULT-VALUE})")
  private String ior = "ior";

  @Option(
      names = "--counters",
      paramLabel = "SOURCE",
      defaultValue = "",
      description = "eley.signal.counters, for what counters tell, such as orangefs:/mnt/pfs")
  private String counters = "";

  @Option(
      names = "--slurm",
      description = "run IOR in a Slurm job, for what accounting tells (salloc, srun)")
  private boolean slurm;

  @Option(
      names = "--board",
      paramLabel = "DIR",
      defaultValue = "",
      description = "where a board of this file system is published, for what boards tell")
  private String board = "";

  @Option(
      names = "--alluxio-servers",
      paramLabel = "JARS",
      defaultValue = "",
      description =
          "class path of Alluxio 2.9's master and worker, for systems that have blocks in them")
  private String alluxioServers = "";

  @Option(
      names = "--alluxio-client",
      paramLabel = "JARS",
      defaultValue = "",
      description = "its client: jars, or a directory of jars")
  private String alluxioClient = "";

  @Option(
      names = "--drop-caches",
      description = "as root: empty the kernel's page cache before each run, where mounts cache")
  private boolean dropCaches;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "a configuration key for all deployments; may be repeated")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** The site; bad usage when there is none. */
  Site site(CommandLine command) {
    if ((origin == null) == mounts.isEmpty()) {
      throw new CommandLine.ParameterException(command, "give either --origin or --mounts");
    }
    for (Path directory : mounts.isEmpty() && origin != null ? List.of(origin) : mounts) {
      if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
        throw new CommandLine.ParameterException(
            command, directory + " is not a directory one can write");
      }
    }
    var absolute = mounts.stream().map(m -> m.toAbsolutePath().normalize()).toList();
    Path shared = origin == null ? absolute.get(0) : origin.toAbsolutePath().normalize();
    return new Site(
        new HostMounts(shared, absolute),
        words(mpirun),
        words(ior),
        new Site.Witnesses(counters, slurm, board),
        settings,
        alluxio(command),
        dropCaches);
  }

  private AlluxioPrograms alluxio(CommandLine command) {
    try {
      return AlluxioPrograms.of(alluxioServers, alluxioClient);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(command, e.getMessage(), e);
    }
  }

  private static List<String> words(String command) {
    return List.of(command.strip().split("\\s+", -1));
  }
}
