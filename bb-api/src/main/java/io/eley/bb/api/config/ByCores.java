package io.eley.bb.api.config;

/**
 * A number of threads or connections that follows the processors that this process may use, unless
 * it is configured. Pure.
 *
 * @param coresEach processors for which there is one
 * @param most however many processors there are
 */
public record ByCores(int coresEach, int most) {
  /** On a small machine, too, one must not wait for the other. */
  private static final int LEAST = 2;

  /** The number on this machine; a configured one that is not 0 is taken as it is. */
  public int number(int configured) {
    return number(configured, Runtime.getRuntime().availableProcessors());
  }

  int number(int configured, int cores) {
    return configured > 0 ? configured : Math.max(LEAST, Math.min(most, cores / coresEach));
  }
}
