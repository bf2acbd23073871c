package io.eley.cli.render;

import io.eley.scheduler.hooks.job.UserJob;
import java.util.List;
import java.util.Locale;

/** A user's jobs, a line each. */
public final class JobTable {
  private JobTable() {}

  /** The table with its header, or one line that says that there is none. */
  public static String render(List<UserJob> jobs) {
    if (jobs.isEmpty()) {
      return "no job with a buffer\n";
    }
    var text = new StringBuilder(line("JOB", "NAME", "STATE", "TIME", "BUFFER"));
    for (UserJob job : jobs) {
      text.append(line(job.number(), job.name(), job.state(), job.time(), job.about()));
    }
    return text.toString();
  }

  private static String line(String job, String name, String state, String time, String about) {
    return String.format(Locale.ROOT, "%-10s %-20s %-10s %10s  %s", job, name, state, time, about)
            .stripTrailing()
        + "\n";
  }
}
