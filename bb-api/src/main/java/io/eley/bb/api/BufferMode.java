package io.eley.bb.api;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The paper's three systems (Eley, IEEE Cluster 2017, section V), by the names it gives them, and
 * our own fourth.
 */
public enum BufferMode {
  /** Buffer for intermediate data only; Spark reads the PFS itself. */
  NAIVE_BB("NaiveBB"),
  /** Prefetch with no regard for others. */
  NO_ACTION("NoAction"),
  /** Prefetch, held back during every HPC I/O phase. */
  FULL_DELAY("FullDelay"),
  /** Prefetch, held back as far as models say that HPC I/O phases would suffer. */
  ADAPTIVE("Adaptive");

  private final String label;

  BufferMode(String label) {
    this.label = label;
  }

  /** The name people read and type. */
  public String label() {
    return label;
  }

  /** The label: modes are shown to people, as defaults of options and in messages. */
  @Override
  public String toString() {
    return label;
  }

  /**
   * The mode of that label, in any letter case.
   *
   * @throws IllegalArgumentException naming the labels there are
   */
  public static BufferMode of(String label) {
    return Arrays.stream(values())
        .filter(m -> m.label.equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no mode '"
                        + label
                        + "'; there are "
                        + Arrays.stream(values())
                            .map(BufferMode::label)
                            .collect(Collectors.joining(", "))));
  }
}
