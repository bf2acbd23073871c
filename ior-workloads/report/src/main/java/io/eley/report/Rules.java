package io.eley.report;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Rules that must hold of a report, by what they say. */
final class Rules {
  private Rules() {}

  /** Those that do not hold, sorted. */
  static <T> List<String> broken(Map<String, Predicate<T>> rules, T report) {
    return rules.entrySet().stream()
        .filter(rule -> !rule.getValue().test(report))
        .map(rule -> "not so: " + rule.getKey())
        .sorted()
        .toList();
  }
}
