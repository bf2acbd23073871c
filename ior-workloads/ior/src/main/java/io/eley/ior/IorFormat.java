package io.eley.ior;

import java.util.Arrays;
import java.util.stream.Collectors;

/** {@code -O summaryFormat=}, with IOR's own words. */
enum IorFormat {
  DEFAULT("default"),
  JSON("JSON"),
  CSV("CSV");

  private final String label;

  IorFormat(String label) {
    this.label = label;
  }

  static IorFormat of(String label) {
    return Arrays.stream(values())
        .filter(f -> f.label.equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "-O summaryFormat="
                        + label
                        + ": there are "
                        + Arrays.stream(values())
                            .map(f -> f.label)
                            .collect(Collectors.joining(", "))));
  }

  /** Writes a result in this format. */
  void write(IorRunRecord run, Appendable out) throws java.io.IOException {
    switch (this) {
      case DEFAULT -> TextOutput.write(run, out);
      case JSON -> JsonOutput.write(run, out);
      case CSV -> CsvOutput.write(run, out);
    }
  }
}
