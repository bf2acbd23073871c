package io.eley.prefetcher.control;

import io.eley.bb.api.BufferMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Which operator the mode {@code Adaptive} uses. */
public enum OperatorChoice {
  /** The one that the models predict to be best, decision by decision. */
  CHOOSER,
  PARTIAL_DELAY,
  SCALE_DOWN,
  SCALE_UP;

  /**
   * The operator of a mode. Without a buffer on the read path (NaiveBB) there is nothing to hold.
   *
   * @param hold what FullDelay does
   * @param maxSlowdown {@code eley.operator.max-slowdown}, a fraction, not negative
   * @param mostFetchers see {@link ScaleUp}
   */
  public Operator of(BufferMode mode, FullDelay hold, double maxSlowdown, int mostFetchers) {
    return switch (mode) {
      case NAIVE_BB, NO_ACTION -> new NoAction();
      case FULL_DELAY -> hold;
      case ADAPTIVE ->
          switch (this) {
            case CHOOSER -> new Chooser(hold, maxSlowdown, mostFetchers);
            case PARTIAL_DELAY -> new PartialDelay(hold, maxSlowdown);
            case SCALE_DOWN -> new ScaleDown(hold, maxSlowdown);
            case SCALE_UP -> new ScaleUp(hold, mostFetchers);
          };
    };
  }

  /** The choice's name in options and reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The choice of that label, in any letter case.
   *
   * @throws IllegalArgumentException naming the labels there are
   */
  public static OperatorChoice of(String label) {
    return Arrays.stream(values())
        .filter(c -> c.label().equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no operator '"
                        + label
                        + "'; there are "
                        + Arrays.stream(values())
                            .map(OperatorChoice::label)
                            .collect(Collectors.joining(", "))));
  }
}
