package io.eley.laboratory;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Live progress: a bar for each step on a terminal, a line for each step elsewhere. */
public final class ConsoleProgress implements Progress, AutoCloseable {
  private static final int STEPS = 1000;
  private static final int TITLE = 44;

  private final PrintWriter err;
  private final boolean terminal = onTerminal();
  private @Nullable ProgressBar bar;

  public ConsoleProgress(PrintWriter err) {
    this.err = err;
  }

  @Override
  public synchronized void step(int number, int of, String title) {
    close();
    String text = "[" + number + "/" + of + "] " + title;
    if (!terminal) {
      line(text);
      return;
    }
    bar =
        new ProgressBarBuilder()
            .setTaskName(padded(text))
            .setInitialMax(STEPS)
            .setStyle(ProgressBarStyle.UNICODE_BLOCK)
            .hideEta()
            .setConsumer(new ConsoleProgressBarConsumer(System.err))
            .build();
  }

  @Override
  public synchronized void advanced(double done, String detail) {
    if (bar != null) {
      bar.stepTo(Math.round(STEPS * Math.max(0, Math.min(1, done))));
      bar.setExtraMessage(" " + detail);
    }
  }

  @Override
  public synchronized void note(String text) {
    if (bar != null) {
      bar.pause();
    }
    line((bar != null ? "\r\u001b[2K" : "") + "  " + text);
    if (bar != null) {
      bar.resume();
    }
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.stepTo(STEPS);
      bar.close();
      bar = null;
    }
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
    err.println(text);
    err.flush();
  }

  private static String padded(String text) {
    return text.length() >= TITLE ? text : text + " ".repeat(TITLE - text.length());
  }
}
