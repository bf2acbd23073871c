package io.eley.cli;

import io.eley.simulation.Testbed;
import io.eley.simulation.TestbedTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley simulate testbed}: the experiment on knowledge, simulated. */
@Command(
    name = "testbed",
    mixinStandardHelpOptions = true,
    description =
        "What each kind of knowledge is worth on an OrangeFS of four servers, as"
            + " 'eley experiment knowledge' measures it.")
final class SimulateTestbedCommand implements Callable<Integer> {
  private static final int MOST = 1000;

  @Option(
      names = "--rate",
      paramLabel = "MB/s",
      defaultValue = "20",
      description = "of a server, both directions together (default: ${DEFAULT-VALUE})")
  private double rate;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "5",
      description = "runs of each kind, with seeds from 1 on (default: ${DEFAULT-VALUE})")
  private int repeat;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (!(rate >= 1 && rate <= 10_000)) {
      throw new IllegalArgumentException("--rate must be 1 to 10000: " + rate);
    }
    if (repeat < 1 || repeat > MOST) {
      throw new IllegalArgumentException("--repeat must be 1 to " + MOST + ": " + repeat);
    }
    TestbedTable.print(Testbed.of(rate * 1e6), repeat, spec.commandLine().getOut());
    return 0;
  }
}
