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
  /** Takes over what it is given. */
  public BufferChoices {
    settings = Map.copyOf(settings);
  }
}
