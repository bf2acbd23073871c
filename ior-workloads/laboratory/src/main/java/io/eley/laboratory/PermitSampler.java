package io.eley.laboratory;

import io.eley.bb.api.wire.DeploymentReport;
import io.eley.report.RunTimeline.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns polled reports of a deployment into intervals in which a node's prefetch permit was closed.
 */
public final class PermitSampler {
  private final List<long[]> closedMicros = new ArrayList<>();
  private boolean wasClosed;

  /** Takes one report; times must not go back. */
  public void sample(long epochMicros, DeploymentReport report) {
    boolean closed = report.nodes().stream().anyMatch(n -> !n.counters().permitOpen());
    if (closed && !wasClosed) {
      closedMicros.add(new long[] {epochMicros, epochMicros});
    } else if (wasClosed) {
      closedMicros.get(closedMicros.size() - 1)[1] = epochMicros;
    }
    wasClosed = closed;
  }

  /** The intervals in seconds since a run's zero. */
  public List<Span> closed(long zeroMicros) {
    return closedMicros.stream()
        .filter(c -> c[1] > zeroMicros)
        .map(c -> new Span(Math.max(0, (c[0] - zeroMicros) / 1e6), (c[1] - zeroMicros) / 1e6))
        .toList();
  }
}
