package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.coordinator.board.BoardOptions;
import io.eley.coordinator.board.BoardOptions.Listen;
import io.eley.coordinator.board.BoardOptions.Publication;
import io.eley.coordinator.board.BoardServer;
import io.eley.coordinator.config.SignalKeys;
import io.eley.local.deployment.Daemon;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley board}: one watch for the deployments of all users of a site. */
@Command(
    name = BoardCommand.NAME,
    mixinStandardHelpOptions = true,
    description = {
      "Runs a board: watches for I/O phases once for all users, and tells their deployments.",
      "It runs until it gets a TERM, as root with CAP_DAC_READ_SEARCH alone (deploy/systemd), or",
      "as a user for that user's deployments; those find it by -D eley.signal.board=DIR."
    })
final class BoardCommand implements Callable<Integer> {
  static final String NAME = "board";

  /** Whose names users see. */
  enum Names {
    /** Of their own jobs. */
    OWN,
    /** Of everybody's. */
    ALL
  }

  @Option(
      names = "--publish",
      required = true,
      paramLabel = "DIR",
      description =
          "where deployments find the board and leave their tokens, made when it is missing;"
              + " on a file system of all hosts that have coordinators")
  private Path publish = Path.of("");

  @Option(
      names = "--origin",
      required = true,
      paramLabel = "DIR",
      description = "the mounted parallel file system that is watched")
  private Path origin = Path.of("");

  @Option(names = "--slurm", description = "see HPC jobs' I/O in Slurm's accounting")
  private boolean slurm;

  @Option(
      names = "--counters",
      paramLabel = "WHAT",
      description = "see it in counters: orangefs:MOUNT, lustre:FILES, gpfs:COMMANDS or file:PATH")
  private String counters = "";

  @Option(
      names = "--names",
      paramLabel = "OWN|ALL",
      description = "of whose jobs a user sees the names (default: ${DEFAULT-VALUE})")
  private Names names = Names.OWN;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "the address, interface (ib0) or network (10.1.0.0/16) to listen on"
              + " (default: the address of this machine's name)")
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "0 takes a free one (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description = "configuration of sources, phases and connections, see `eley config`")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var known = new LinkedHashMap<>(AllKeys.today(settings, spec.commandLine().getErr()::println));
    if (slurm) {
      known.put(SignalKeys.SLURM.name(), "true");
    }
    if (!counters.isBlank()) {
      known.put(SignalKeys.COUNTERS.name(), counters);
    }
    var publication = new Publication(publish, origin, names == Names.ALL);
    return Daemon.run(
        known, s -> BoardServer.start(BoardOptions.from(publication, new Listen(host, port), s)));
  }
}
