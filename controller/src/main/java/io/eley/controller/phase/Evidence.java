package io.eley.controller.phase;

/**
 * Evidence that an HPC application is in a phase.
 *
 * @param application its name; {@link #SOMEBODY} when the source cannot tell whose I/O it sees
 * @param source name of the source that reports it
 * @param since when the phase began, nanoseconds of the coordinator's monotonic clock
 * @param confidence how likely it is, 0 to 1
 */
public record Evidence(String application, String source, long since, double confidence) {
  /** Stands for an application whose name no source knows. */
  public static final String SOMEBODY = "somebody";

  public Evidence {
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("a confidence is from 0 to 1: " + confidence);
    }
  }

  /** Whether the source knows whose phase it is. */
  public boolean named() {
    return !application.equals(SOMEBODY);
  }
}
