package io.eley.workloads;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The applications. */
public enum Workload {
  /** Map-heavy. */
  WORD_COUNT("WordCount"),
  /** Reduce-heavy. */
  SORT("Sort"),
  /** Reads, and hardly more. */
  SCAN("Scan");

  private final String label;

  Workload(String label) {
    this.label = label;
  }

  /**
   * The one that a person names so, in whatever case.
   *
   * @throws IllegalArgumentException that names those there are
   */
  public static Workload of(String label) {
    return Arrays.stream(values())
        .filter(workload -> workload.label.equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("no workload '" + label + "'; there are " + labels()));
  }

  private static String labels() {
    return Arrays.stream(values()).map(Workload::label).collect(Collectors.joining(", "));
  }

  /** As reports and {@link WorkloadResult#workload} name it. */
  public String label() {
    return label;
  }

  /** The class whose {@code main} it is; by name, since this side loads no class of Spark. */
  public String mainClass() {
    return Workload.class.getPackageName() + "." + label;
  }
}
