package io.eley.laboratory;

import java.util.Locale;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** Numbers the steps for a {@link Progress}. */
public final class Steps {
  private final Progress progress;
  private final int of;
  private int number;

  public Steps(Progress progress, int of) {
    this.progress = progress;
    this.of = of;
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
}
