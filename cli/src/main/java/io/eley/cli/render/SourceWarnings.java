package io.eley.cli.render;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.coordinator.board.BoardSampler;
import io.eley.prefetcher.control.FullDelay;
import java.util.ArrayList;
import java.util.List;

/** What a person should know at once of sources that see nothing. */
public final class SourceWarnings {
  private SourceWarnings() {}

  /**
   * What would help where nobody sees.
   *
   * @param board whether there is one, which does not see either
   */
  public static String help(boolean board) {
    return "turn eley.signal.reads on, or add "
        + (board ? "" : "eley.signal.board, ")
        + "eley.signal.slurm or eley.signal.counters";
  }

  /** What would help a deployment. */
  static String help(DeploymentReport report) {
    return help(
        report.control().sources().stream().anyMatch(s -> s.name().equals(BoardSampler.NAME)));
  }

  /** The warnings, a line each; none in modes that hold for nobody. */
  public static List<String> of(DeploymentReport report) {
    if (report.mode() == BufferMode.NAIVE_BB || report.mode() == BufferMode.NO_ACTION) {
      return List.of();
    }
    var lines = new ArrayList<String>();
    for (var source : report.control().sources()) {
      if (!source.state().equals("fresh") && !source.message().isEmpty() && polled(source.name())) {
        lines.add("warning: the source " + source.name() + " sees nothing: " + source.message());
      }
    }
    if (report.permitReason().equals(FullDelay.NOBODY_SEES)) {
      lines.add("warning: " + FullDelay.NOBODY_SEES + "; " + help(report));
    }
    return List.copyOf(lines);
  }

  /** Whether every source has been looked at, so that it is known which of them see nothing. */
  public static boolean known(DeploymentReport report) {
    return report.control().sources().stream()
        .allMatch(source -> source.state().equals("fresh") || !source.message().isEmpty());
  }

  /** Our own reads tell nothing before the first of them. */
  private static boolean polled(String source) {
    return !source.equals("reads");
  }
}
