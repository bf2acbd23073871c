package io.eley.workloads;

/** The two applications. */
public enum Workload {
  /** Map-heavy. */
  WORD_COUNT("WordCount"),
  /** Reduce-heavy. */
  SORT("Sort");

  private final String label;

  Workload(String label) {
    this.label = label;
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
