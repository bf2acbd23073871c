package io.eley.cli.bench;

/**
 * What was moved in which time.
 *
 * @param bytes moved
 * @param files that they were in
 * @param seconds above 0
 */
public record Rate(long bytes, int files, double seconds) {
  /** A million bytes a second, as file systems' makers count. */
  public double megabytesPerSecond() {
    return bytes / 1e6 / seconds;
  }

  public double filesPerSecond() {
    return files / seconds;
  }
}
