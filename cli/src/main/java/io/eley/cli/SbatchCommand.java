package io.eley.cli;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.job.JobScript;
import io.eley.scheduler.hooks.job.SlurmCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eley sbatch}: Spark and its burst buffer as one Slurm job. */
@Command(
    name = "sbatch",
    mixinStandardHelpOptions = true,
    description = {
      "Submits a Slurm job: buffer nodes, Spark and your command in one allocation.",
      "Nothing is left when it ends. The command finds spark.master, authentication and the buffer in"
          + " SPARK_CONF_DIR, so `spark-submit` needs no further option; read bb:///path/under/origin."
    },
    footer = {
      "",
      "Example:",
      "  eley sbatch --origin /mnt/pfs --buffer-nodes 2 --buffer-memory 8g --spark-nodes 4 \\",
      "    -S --time=1:00:00 -S --partition=batch -- spark-submit job.py bb:///input"
    })
final class SbatchCommand implements Callable<Integer> {
  @Option(
      names = "--origin",
      required = true,
      paramLabel = "DIR",
      description = "where the data lives, mounted on all nodes")
  private Path origin = Path.of("");

  @Option(
      names = "--buffer-nodes",
      paramLabel = "N",
      defaultValue = "2",
      description = "hosts that hold a buffer node each (default: ${DEFAULT-VALUE})")
  private int bufferNodes;

  @Option(
      names = "--buffer-memory",
      paramLabel = "SIZE",
      defaultValue = "4g",
      converter = StartCommand.SizeConverter.class,
      description = "RAM of each buffer node for blocks (default: ${DEFAULT-VALUE})")
  private DataSize bufferMemory = DataSize.ofMebibytes(4096);

  @Option(
      names = "--spark-nodes",
      paramLabel = "N",
      defaultValue = "2",
      description = "hosts with a Spark worker each (default: ${DEFAULT-VALUE})")
  private int sparkNodes;

  @Option(
      names = "--spark-cores",
      paramLabel = "N",
      defaultValue = "4",
      description = "cores of each worker (default: ${DEFAULT-VALUE})")
  private int sparkCores;

  @Option(
      names = "--spark-memory",
      paramLabel = "SIZE",
      defaultValue = "4g",
      converter = StartCommand.SizeConverter.class,
      description = "memory of each worker (default: ${DEFAULT-VALUE})")
  private DataSize sparkMemory = DataSize.ofMebibytes(4096);

  @Option(
      names = "--colocate",
      description = "put the buffer nodes on the Spark nodes instead of hosts of their own")
  private boolean colocate;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "FullDelay",
      converter = ModeConverter.class,
      description = "NaiveBB, NoAction, FullDelay or Adaptive (default: ${DEFAULT-VALUE})")
  private BufferMode mode = BufferMode.FULL_DELAY;

  @Option(
      names = "--no-watch",
      description = "do not look for other jobs' I/O in Slurm's accounting")
  private boolean noWatch;

  @Option(
      names = "--jobs",
      paramLabel = "DIR",
      description = "shared directory for jobs' files, yours alone (default: ~/.eley/jobs)")
  private @Nullable Path jobs;

  @Option(
      names = "--spark-home",
      paramLabel = "DIR",
      description = "Spark on all nodes (default: $SPARK_HOME)")
  private @Nullable Path sparkHome;

  @Option(
      names = "--ram-disk",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description = "a file system in RAM on the buffer nodes (default: ${DEFAULT-VALUE})")
  private Path ramDisk = Path.of("/dev/shm");

  @Option(
      names = "--ready",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "how long all parts may take to come up (default: ${DEFAULT-VALUE})")
  private int ready;

  @Option(
      names = {"-S", "--slurm"},
      paramLabel = "OPTION",
      description = "an option for Slurm, for both components, such as --time=1:00:00")
  private List<String> slurm = new ArrayList<>();

  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description = "any configuration key, see `eley config`")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--print", description = "print the script instead of submitting it")
  private boolean print;

  @Parameters(
      arity = "1..*",
      paramLabel = "-- COMMAND",
      description = "what to run on the first Spark node, such as spark-submit …")
  private List<String> command = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    ConfigCommand.requireKnown(settings.keySet());
    var script = script();
    if (print) {
      spec.commandLine().getOut().print(script.text());
      spec.commandLine().getOut().flush();
      return 0;
    }
    if (!Files.isDirectory(origin)) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "the origin " + origin + " is no directory here; it must be mounted on all nodes");
    }
    var slurmCommands = new SlurmCommands();
    slurmCommands.requireSlurm();
    slurmCommands.requireRoom(script.mebibytesOfANode());
    long job = slurmCommands.submit(script.text(), List.of());
    spec.commandLine().getOut().println("submitted job " + job);
    spec.commandLine().getOut().flush();
    return 0;
  }

  private JobScript script() throws EleyException {
    if (colocate && bufferNodes > sparkNodes) {
      throw new IllegalArgumentException(
          "--colocate puts " + bufferNodes + " buffer nodes on " + sparkNodes + " Spark nodes");
    }
    return new JobScript(
        new JobScript.Sizes(
            bufferNodes, bufferMemory, sparkNodes, sparkCores, sparkMemory, colocate),
        new JobScript.Places(
            Layout.find().launcher(),
            origin.toAbsolutePath().normalize(),
            (jobs == null ? home().resolve(".eley/jobs") : jobs).toAbsolutePath(),
            spark(),
            ramDisk),
        mode,
        !noWatch,
        ready,
        slurm,
        settings,
        command);
  }

  /** As the shell has it: the job's script will be run by one. */
  private static Path home() {
    String home = System.getenv("HOME");
    return Path.of(home == null ? System.getProperty("user.home") : home);
  }

  private Path spark() throws EleyException {
    String home = System.getenv("SPARK_HOME");
    Path spark = sparkHome != null ? sparkHome : home == null ? null : Path.of(home);
    if (spark == null) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "where is Spark? set SPARK_HOME or give --spark-home");
    }
    if (!Files.isExecutable(spark.resolve("bin/spark-class"))) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "there is no bin/spark-class in " + spark + ": this is no Spark");
    }
    return spark.toAbsolutePath();
  }
}
