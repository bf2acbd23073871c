package io.eley.prefetcher.plan;

/**
 * How much of the heap plans may take, in bytes as {@link PlanSize} counts them. What does not fit
 * is not planned: its tasks read without prefetching, and other applications' plans stay as they
 * are.
 *
 * @param application of one application
 * @param all of all applications together
 */
public record PlanLimits(long application, long all) {
  /** No limits, for those who make the plans themselves. */
  public static final PlanLimits NONE = new PlanLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  public PlanLimits {
    if (application < 1 || all < application) {
      throw new IllegalArgumentException("a plan's limit is positive, all plans' is not smaller");
    }
  }

  /**
   * A limit for each application, and half as much again for all of them: one that has all it may
   * have leaves room for others.
   */
  public static PlanLimits ofApplication(long bytes) {
    long half = bytes / 2;
    return new PlanLimits(bytes, bytes > Long.MAX_VALUE - half ? Long.MAX_VALUE : bytes + half);
  }
}
