package io.eley.ior;

import io.eley.ior.IorResult.Times;
import java.io.PrintWriter;
import java.util.Locale;

/** A line a phase on standard error. */
final class ProgressLines implements IorPhaseListener {
  private final int repetitions;
  private final PrintWriter out;

  ProgressLines(int repetitions, PrintWriter out) {
    this.repetitions = repetitions;
    this.out = out;
  }

  @Override
  public void phaseBegins(IorOperation operation, int iteration) {}

  @Override
  public void phaseEnds(IorOperation operation, int iteration, long bytes, Times times) {
    out.printf(
        Locale.ROOT,
        "ior: %s %d of %d: %.1f MiB in %.3f s%n",
        operation.label(),
        iteration + 1,
        repetitions,
        bytes / 1024.0 / 1024.0,
        times.total());
    out.flush();
  }

  @Override
  public void close() {}
}
