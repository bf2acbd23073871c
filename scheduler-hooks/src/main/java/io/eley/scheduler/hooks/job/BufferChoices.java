package io.eley.scheduler.hooks.job;

import io.eley.bb.api.BufferMode;
import java.util.Map;

/**
 * How a site has its buffers run.
 *
 * @param watch whether they look for other jobs' I/O in Slurm's accounting
 * @param settings configuration keys
 */
public record BufferChoices(BufferMode mode, boolean watch, Map<String, String> settings) {
  /**
   * Takes over what it is given.
   *
   * @throws IllegalArgumentException for a setting that each node would refuse, so that no buffer
   *     came up and every job with a directive would be held
   */
  public BufferChoices {
    settings = Map.copyOf(settings);
    if (!settings.getOrDefault(JobScript.OVERFLOW, "").isBlank() && !JobScript.scratch(settings)) {
      throw new IllegalArgumentException(
          JobScript.OVERFLOW + " is for intermediate data, which needs " + JobScript.SCRATCH);
    }
  }
}
