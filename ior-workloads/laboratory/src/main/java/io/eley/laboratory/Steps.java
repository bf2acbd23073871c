package io.eley.laboratory;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** Numbers the steps for a {@link Progress}. */
public final class Steps {
  private final Progress progress;
  private final int of;
  private int number;

  /**
   * Steps that are made in this order.
   *
   * @param plan all of them
   */
  public Steps(Progress progress, List<PlannedStep> plan) {
    this.progress = progress;
    this.of = plan.size();
    progress.plan(plan);
  }

  /** Begins the next step. */
  public void next(String title) {
    progress.step(++number, of, title);
  }

  public void note(String format, @Nullable Object... values) {
    progress.note(String.format(Locale.ROOT, format, values));
  }

  /** Takes how far the step has got, 0 to 1. */
  public DoubleConsumer percent() {
    return done ->
        progress.advanced(done, String.format(Locale.ROOT, "%.0f %%", 100 * Math.min(1, done)));
  }

  /** Takes what is to be seen of the run that is the step. */
  public RunSight.Viewer viewer() {
    return sight -> progress.advanced(sight.part(), sight.words());
  }
}
