package io.eley.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One figure over all repetitions. Worked example: 18.1, 18.4 and 20.0 have the median 18.4 and
 * range from 18.1 to 20.0; of one repetition all three are the same.
 *
 * @param median the middle one, or the mean of the two in the middle
 * @param least of all
 * @param most of all
 */
public record Spread(double median, double least, double most) {
  public Spread {
    if (least > median || median > most) {
      throw new IllegalArgumentException("a median outside of its range");
    }
  }

  /** The spread of what was measured; null when nothing was. */
  static @Nullable Spread of(Collection<? extends @Nullable Double> values) {
    var known = values.stream().filter(Objects::nonNull).sorted().toList();
    Double median = SeriesRow.median(known);
    return median == null ? null : new Spread(median, known.get(0), known.get(known.size() - 1));
  }

  /** A single value. */
  static Spread of(double value) {
    return new Spread(value, value, value);
  }

  /** Whether repetitions differ at all. */
  @JsonIgnore
  boolean varies() {
    return least < most;
  }

  /** From least to most, each in the given format. */
  String range(String format) {
    return String.format(Locale.ROOT, format + " to " + format, least, most);
  }
}
