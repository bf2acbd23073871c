package io.eley.laboratory;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Live progress. Each step and each note is a line that stays. On a terminal the line below them is
 * alive: how far all steps together are, how long the rest takes, and what happens now, drawn anew
 * twice a second by the progress bar's thread, so that it moves also while nobody reports.
 */
public final class ConsoleProgress implements Progress, AutoCloseable {
  private static final int REFRESH_MILLIS = 500;

  /** To the line's begin, and clear it (ECMA-48). */
  private static final String ERASE = "\r\u001b[2K";

  private final PrintWriter err;
  private final boolean terminal = onTerminal();
  private final ProgressLine line =
      Charset.defaultCharset().newEncoder().canEncode(ProgressLine.BLOCKS.full())
          ? ProgressLine.BLOCKS
          : ProgressLine.PLAIN;
  private Estimate estimate = new Estimate(List.of(), now());
  private boolean planned;
  private String story = "";
  private @Nullable ProgressBar bar;

  public ConsoleProgress(PrintWriter err) {
    this.err = err;
  }

  @Override
  public synchronized void plan(List<PlannedStep> steps) {
    estimate = new Estimate(steps, now());
    planned = true;
    if (terminal && bar == null) {
      bar =
          new ProgressBarBuilder()
              .setInitialMax(1)
              .setUpdateIntervalMillis(REFRESH_MILLIS)
              .continuousUpdate()
              .setRenderer((state, width) -> render(width))
              .setConsumer(new LastLine())
              .build();
    }
  }

  @Override
  public synchronized void step(int number, int of, String title) {
    estimate.next(now());
    story = "";
    String left =
        terminal || !planned
            ? ""
            : " (" + ProgressLine.left(estimate.at(now()).secondsLeft()) + ")";
    line("[" + number + "/" + of + "] " + title + left);
  }

  @Override
  public synchronized void advanced(double done, String detail) {
    estimate.advanced(done, now());
    story = detail;
  }

  @Override
  public synchronized void note(String text) {
    line("  " + text);
  }

  /** Takes the living line away; what stays, stays. */
  @Override
  public void close() {
    ProgressBar ended;
    synchronized (this) {
      ended = bar;
      bar = null;
    }
    if (ended != null) {
      // Waits for the bar's thread, which takes our lock to draw.
      ended.close();
    }
  }

  private synchronized String render(int width) {
    return line.render(estimate.at(now()), story, width);
  }

  private static double now() {
    return System.nanoTime() / 1e9;
  }

  /**
   * Whether standard error is a terminal (proc(5)); System.console() asks about the other two
   * streams.
   */
  private static boolean onTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }

  private void line(String text) {
    if (bar != null) {
      // Past the writer, which writes control characters as text.
      System.err.print(ERASE);
    }
    err.println(text);
    err.flush();
  }

  /** The line below all others. */
  private final class LastLine extends ConsoleProgressBarConsumer {
    LastLine() {
      super(System.err);
    }

    @Override
    public void accept(String text) {
      // As wide as the terminal already; the library's own trimming counts blocks as wider.
      synchronized (ConsoleProgress.this) {
        System.err.print('\r' + text);
      }
    }

    @Override
    public void close() {
      System.err.print(ERASE);
      System.err.flush();
    }
  }
}
