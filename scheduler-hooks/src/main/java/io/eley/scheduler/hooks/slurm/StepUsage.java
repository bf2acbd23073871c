package io.eley.scheduler.hooks.slurm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code sstat -n -P -a --noconvert --format=JobID,TRESUsageInTot,TRESUsageOutTot}: a line a
 * step, {@code fs/disk} of the two the bytes that its tasks have read and written by system calls
 * ({@code man sstat}).
 */
final class StepUsage {
  /** The columns asked for. */
  static final String FORMAT = "JobID,TRESUsageInTot,TRESUsageOutTot";

  private static final Pattern DISK = Pattern.compile("(?:^|,)fs/disk=(\\d{1,18})(?:,|$)");

  /**
   * Eighteen digits fit into a long; a job's number has ten at most. A step that spans components
   * of a heterogeneous job ends with {@code +} and one of them.
   */
  private static final Pattern STEP =
      Pattern.compile("\\d{1,18}(_\\d{1,18})?\\.\\w+(\\+\\d{1,18})?");

  private StepUsage() {}

  /**
   * Cumulative bytes by step, such as {@code 12.0}, {@code 12.batch} or {@code 12.0+1}; odd lines
   * are left out.
   */
  static Map<String, Long> parse(String text) {
    var bytes = new HashMap<String, Long>();
    for (String line : text.lines().toList()) {
      List<String> fields = List.of(line.split("\\|", -1));
      if (fields.size() >= 3 && STEP.matcher(fields.get(0)).matches()) {
        bytes.merge(fields.get(0), disk(fields.get(1)) + disk(fields.get(2)), Math::max);
      }
    }
    return bytes;
  }

  private static long disk(String usage) {
    Matcher matcher = DISK.matcher(usage);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  /** The job that a step belongs to. */
  static long job(String step) {
    return Long.parseLong(step.substring(0, step.indexOf('.')).replaceAll("_.*", ""));
  }
}
