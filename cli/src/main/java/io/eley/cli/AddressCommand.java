package io.eley.cli;

import io.eley.bb.api.config.ListenHost;
import io.eley.bb.api.error.EleyException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eley address}: for job scripts, this host's address in a network. */
@Command(
    name = "address",
    mixinStandardHelpOptions = true,
    description = "Prints this host's address on an interface or in a network; for job scripts.")
final class AddressCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NETWORK", description = "an interface (ib0) or a network (10.1.0.0/16)")
  private String network = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var address = ListenHost.ofThisMachine().resolve("--network", network);
    spec.commandLine().getOut().println(address.getHostAddress());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
