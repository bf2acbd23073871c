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

  /** A limit for each application; two of that size fit at once. */
  public static PlanLimits ofApplication(long bytes) {
    return new PlanLimits(bytes, bytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * bytes);
  }
}
