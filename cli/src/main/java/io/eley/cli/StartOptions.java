package io.eley.cli;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.node.NodeKeys;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.coordinator.config.SignalKeys;
import io.eley.ior.SizeConverter;
import io.eley.local.deployment.DeploymentPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code eley start} starts. */
final class StartOptions {
  @Option(
      names = "--origin",
      required = true,
      paramLabel = "DIR",
      converter = Typed.OriginConverter.class,
      description =
          "where the data lives: a mounted parallel file system, or any directory; or hdfs://... or"
              + " s3a://bucket/..., through Hadoop's clients")
  private String origin = "";

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "2",
      description = "number of nodes, 1 to 64 (default: ${DEFAULT-VALUE})")
  private int nodes;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "RAM of each node for blocks (default: ${DEFAULT-VALUE})")
  private DataSize memory = NodeKeys.MEMORY.defaultValue();

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "unit of placement and fetch, a multiple of 1m (default: ${DEFAULT-VALUE})")
  private DataSize blockSize = CoordinatorKeys.BLOCK_SIZE.defaultValue();

  @Mixin private RamDiskOption ramDisk = new RamDiskOption();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = {
        "the address, interface (ib0) or network (10.1.0.0/16) to listen on and to tell Spark",
        "(default: ${DEFAULT-VALUE}, this machine only; give the cluster's when executors run elsewhere)"
      })
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "the coordinator's port; 0 takes a free one (default: ${DEFAULT-VALUE})")
  private int port = CoordinatorKeys.PORT.defaultValue();

  @Option(
      names = "--spark-home",
      paramLabel = "DIR",
      description = {
        "the Spark whose shuffle service hands intermediate data out of the buffer",
        "(default: SPARK_HOME; without both, and with --no-scratch, Spark keeps it itself)"
      })
  private @Nullable Path sparkHome;

  @Mixin private OriginClassPathOption originClasses = new OriginClassPathOption();

  @Mixin private BufferOptions buffer = new BufferOptions();

  @Mixin private EngineOptions engine = new EngineOptions();

  /**
   * The plan, with what another engine has for us. Blocks while that is asked.
   *
   * @param warnings takes a line for each old name of a key
   * @throws EleyException when the engine cannot be used
   */
  DeploymentPlan lookedAt(Consumer<String> warnings) throws EleyException {
    return engine.resolve(plan(warnings), System.getenv());
  }

  /**
   * The plan, as far as it can be checked without looking at the machine.
   *
   * @param warnings takes a line for each old name of a key
   */
  DeploymentPlan plan(Consumer<String> warnings) {
    return plan(warnings, System.getenv("SPARK_HOME"));
  }

  DeploymentPlan plan(Consumer<String> warnings, @Nullable String usualSparkHome) {
    Map<String, String> known = buffer.today(warnings);
    // Where jobs' coordinators look, too.
    known.putIfAbsent(
        SignalKeys.NEIGHBOURS.name(), Home.directory().resolve(".eley/neighbours").toString());
    sparkHome(warnings, usualSparkHome)
        .ifPresent(home -> known.putIfAbsent(NodeKeys.SPARK_HOME.name(), home.toString()));
    within("--memory", memory, NodeKeys.MEMORY);
    within("--block-size", blockSize, CoordinatorKeys.BLOCK_SIZE);
    if (buffer.overflow.typed()
        && !buffer.noScratch
        && !known.containsKey(NodeKeys.SPARK_HOME.name())) {
      throw new IllegalArgumentException(
          "--overflow is for intermediate data, and no Spark is known: give --spark-home");
    }
    buffer.overflow.putInto(known);
    Optional<Path> anySpark =
        Optional.ofNullable(sparkHome)
            .or(() -> Optional.ofNullable(usualSparkHome).filter(s -> !s.isBlank()).map(Path::of));
    originClasses.putInto(known, origin, anySpark, System.getenv());
    return new DeploymentPlan(
        origin, nodes, memory, buffer.mode, geometry(), ramDisk.directory, host, port, known);
  }

  /**
   * What to say when the plan runs, or is about to, a line each. Blocks for a command of Slurm's
   * within its jobs, and is asked before the plan runs, which changes the answer.
   */
  List<String> remarks(DeploymentPlan plan) {
    return Stream.of(
            remark(plan, System.getenv("SPARK_HOME")),
            JobRemark.of(plan.settings(), System.getenv()))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Where no Spark is named nodes take no intermediate data, and nobody would notice. */
  Optional<String> remark(DeploymentPlan plan, @Nullable String usualSparkHome) {
    boolean named = sparkHome != null || (usualSparkHome != null && !usualSparkHome.isBlank());
    boolean wanted = !buffer.noScratch && plan.engineNodes().isEmpty();
    return wanted && !named && !plan.settings().containsKey(NodeKeys.SPARK_HOME.name())
        ? Optional.of("SPARK_HOME is not set: Spark keeps its intermediate data itself")
        : Optional.empty();
  }

  private static void within(String option, DataSize value, ConfigKey<DataSize> key) {
    if (!key.bounds().test(value)) {
      throw new IllegalArgumentException(option + " " + value + ": must be a " + key.form());
    }
  }

  private BlockGeometry geometry() {
    DataSize chunk = OriginClassPathOption.chunkSize(origin, blockSize);
    if (blockSize.bytes() % chunk.bytes() != 0) {
      throw new IllegalArgumentException(
          "--block-size " + blockSize + ": must be a multiple of " + chunk);
    }
    return new BlockGeometry(blockSize.intBytes(), chunk.intBytes());
  }

  private Optional<Path> sparkHome(Consumer<String> warnings, @Nullable String usual) {
    Path home = sparkHome != null || usual == null || usual.isBlank() ? sparkHome : Path.of(usual);
    if (buffer.noScratch || home == null) {
      return Optional.empty();
    }
    if (Files.isDirectory(home.resolve("jars"))) {
      return Optional.of(home.toAbsolutePath());
    }
    if (sparkHome != null) {
      throw new IllegalArgumentException("no Spark in --spark-home " + home + ": it has no jars");
    }
    warnings.accept(
        "SPARK_HOME " + home + " has no jars: Spark keeps its intermediate data itself");
    return Optional.empty();
  }
}
