package io.eley.cli;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.Durations;
import io.eley.simulation.PaperExperiments.Setting;
import io.eley.simulation.SimulationTables;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley simulate}: experiments on a virtual clock. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(paper | scale | scenarios | testbed)",
    description =
        "Runs experiments on a virtual clock, with the planner, permits and gates that really run.",
    subcommands = {
      SimulateCommand.Paper.class,
      SimulateCommand.Scale.class,
      SimulateCommand.Scenarios.class,
      SimulateTestbedCommand.class
    })
final class SimulateCommand {
  @Command(
      name = "paper",
      mixinStandardHelpOptions = true,
      description = "The paper's two experiments at its own scale, beside its figures.")
  static final class Paper implements Callable<Integer> {
    @Option(
        names = "--server-rate",
        paramLabel = "SIZE",
        defaultValue = "300000k",
        description = "bytes a second of one of the six PFS servers (default: ${DEFAULT-VALUE})")
    private String serverRate = "";

    @Option(
        names = "--other-work",
        paramLabel = "TIME",
        defaultValue = "40s",
        description = "of an iteration, after its map phase (default: ${DEFAULT-VALUE})")
    private String otherWork = "";

    @Option(
        names = "--task-weight",
        defaultValue = "0.0625",
        paramLabel = "W",
        description =
            "share of a task's stream against a host's: 1 is fair per stream, 1/16 per host"
                + " (default: ${DEFAULT-VALUE})")
    private double taskWeight;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      if (!(taskWeight > 0 && taskWeight <= 1)) {
        throw new IllegalArgumentException(
            "--task-weight must be above 0, at most 1: " + taskWeight);
      }
      long bytes = DataSize.parse(serverRate).bytes();
      Numbers.require("--server-rate (MiB)", bytes >> 20, 1, 1 << 20);
      var setting = new Setting(bytes, taskWeight, Durations.parse(otherWork).toMillis() / 1e3);
      SimulationTables.printPaper(setting, spec.commandLine().getOut());
      return 0;
    }
  }

  @Command(
      name = "scale",
      mixinStandardHelpOptions = true,
      description = "One large deployment, to see what the coordinator costs.")
  static final class Scale implements Callable<Integer> {
    @Option(
        names = "--nodes",
        paramLabel = "N",
        defaultValue = "1000",
        description =
            "buffer nodes, and as many Spark hosts of 16 slots (default: ${DEFAULT-VALUE})")
    private int nodes;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      if (nodes < 1 || nodes > 10_000) {
        throw new IllegalArgumentException("--nodes must be 1 to 10000: " + nodes);
      }
      SimulationTables.printScale(nodes, spec.commandLine().getOut());
      return 0;
    }
  }

  @Command(
      name = "scenarios",
      mixinStandardHelpOptions = true,
      description = "Random small clusters in trouble; fails when a promise is broken.")
  static final class Scenarios implements Callable<Integer> {
    @Option(
        names = "--count",
        paramLabel = "N",
        defaultValue = "10000",
        description = "how many (default: ${DEFAULT-VALUE})")
    private int count;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "of the first")
    private long seed;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      Numbers.require("--count", count, 1, Integer.MAX_VALUE);
      return SimulationTables.scenarios(seed, count, spec.commandLine().getOut()) ? 0 : 1;
    }
  }
}
