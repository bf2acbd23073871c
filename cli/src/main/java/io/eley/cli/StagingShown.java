package io.eley.cli;

import io.eley.cli.render.StagedLine;
import io.eley.scheduler.hooks.job.StageIn;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How far staging is, for whoever waits: on a terminal one line that changes, into a file or a pipe
 * a line when there is news, every few seconds at most. For one thread.
 */
final class StagingShown implements Consumer<StageIn.Progress> {
  static final long NANOS_BETWEEN_LINES = 5_000_000_000L;

  /** Back to the line's begin, and what was there is gone. */
  private static final String ANEW = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private final LongSupplier clock;
  private String last = "";
  private long nextAt;

  /**
   * Shows nothing yet.
   *
   * @param terminal whether somebody sees lines change
   * @param clock monotonic nanoseconds
   */
  StagingShown(PrintWriter out, boolean terminal, LongSupplier clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
    nextAt = clock.getAsLong() + (terminal ? 0 : NANOS_BETWEEN_LINES);
  }

  @Override
  public void accept(StageIn.Progress progress) {
    String line = StagedLine.render(progress);
    long now = clock.getAsLong();
    if (line.equals(last) || now - nextAt < 0) {
      return;
    }
    last = line;
    if (terminal) {
      out.print(ANEW + line);
    } else {
      nextAt = now + NANOS_BETWEEN_LINES;
      out.println(line);
    }
    out.flush();
  }

  /** Leaves the terminal's line to what comes next. */
  void end() {
    if (terminal && !last.isEmpty()) {
      out.print(ANEW);
      out.flush();
    }
  }
}
