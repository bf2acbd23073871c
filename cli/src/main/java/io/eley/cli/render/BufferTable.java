package io.eley.cli.render;

import io.eley.scheduler.hooks.job.BufferStatus;
import java.util.List;
import java.util.Locale;

/** All jobs' buffers, a line each, as {@code burst_buffer.lua} shows them to {@code scontrol}. */
public final class BufferTable {
  private BufferTable() {}

  /** The table with its header. */
  public static String render(List<BufferStatus> buffers) {
    var text = new StringBuilder(line("JOB", "BUFFER", "USER", "HOW FAR"));
    for (BufferStatus each : buffers) {
      text.append(line(Long.toString(each.job()), each.buffer(), each.user(), each.progress()));
    }
    return text.toString();
  }

  private static String line(String job, String buffer, String user, String progress) {
    return String.format(Locale.ROOT, "%-10s %-10s %-12s %s%n", job, buffer, user, progress);
  }
}
