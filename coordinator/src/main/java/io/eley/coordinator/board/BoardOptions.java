package io.eley.coordinator.board;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.Settings;
import io.eley.bb.server.net.NetworkOptions;
import io.eley.controller.watch.WatchOptions;
import io.eley.coordinator.config.SignalKeys;
import io.eley.coordinator.config.SignalOptions;
import java.nio.file.Path;
import java.util.List;

/**
 * The options of a board.
 *
 * @param directory in which it is published
 * @param origin a path on the file system that it watches
 * @param listen where it listens
 * @param showsAll whether every user sees the names of everybody's applications
 * @param signals its sources
 * @param watch when bytes are a phase
 * @param network how connections are protected
 */
public record BoardOptions(
    Path directory,
    Path origin,
    Listen listen,
    boolean showsAll,
    SignalOptions signals,
    WatchOptions watch,
    NetworkOptions network) {
  /** Keys that a board refuses: they name what watches for a deployment. */
  public static final List<ConfigKey<String>> OF_DEPLOYMENTS =
      List.of(SignalKeys.BOARD, SignalKeys.NEIGHBOURS);

  /**
   * Where a board listens.
   *
   * @param host interface, network or address; empty for this machine's name
   * @param port 0 for any free one
   */
  public record Listen(String host, int port) {}

  /** What a board publishes of itself, and for whom. */
  public record Publication(Path directory, Path origin, boolean showsAll) {}

  /**
   * The values of {@link SignalKeys}, {@link io.eley.controller.watch.WatchKeys} and {@link
   * io.eley.bb.api.config.NetworkKeys}.
   *
   * @throws IllegalArgumentException in one line for the operator, naming the key
   */
  public static BoardOptions from(Publication publication, Listen listen, Settings settings) {
    for (var key : OF_DEPLOYMENTS) {
      if (!settings.get(key).isBlank()) {
        throw new IllegalArgumentException(key.name() + " is for deployments, not for a board");
      }
    }
    var signals = SignalOptions.from(settings);
    if (signals.slurm().isEmpty() && signals.counters().isEmpty() && signals.probe().isEmpty()) {
      throw new IllegalArgumentException(
          "a board without sources sees nothing: give --slurm, --counters, or both");
    }
    return new BoardOptions(
        publication.directory(),
        publication.origin(),
        listen,
        publication.showsAll(),
        signals,
        WatchOptions.from(settings),
        NetworkOptions.from(settings));
  }
}
