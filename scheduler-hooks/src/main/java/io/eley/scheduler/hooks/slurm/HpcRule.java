package io.eley.scheduler.hooks.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs count as HPC. Alternatives are separated by spaces, the conditions of one by commas; a
 * condition is {@code partition}, {@code account}, {@code user} or {@code name}, {@code =} or
 * {@code !=}, and a pattern with {@code *} and {@code ?}. {@code *} alone is every job but ours. A
 * job with the {@link EleyMark} never counts.
 *
 * <p>Example: {@code partition=hpc user=alice,name=ior*,account!=test} takes every job of the
 * partition hpc, and of alice those whose name begins with ior and whose account is not test.
 */
public final class HpcRule {
  private static final Map<String, Function<SlurmJob, String>> FIELDS =
      Map.of(
          "partition", SlurmJob::partition,
          "account", SlurmJob::account,
          "user", SlurmJob::user,
          "name", SlurmJob::name);

  private record Condition(Function<SlurmJob, String> field, String pattern, boolean negated) {
    boolean holds(SlurmJob job) {
      return matches(pattern, field.apply(job)) != negated;
    }
  }

  private final String text;
  private final List<List<Condition>> alternatives;
  private final Set<Long> ours;

  private HpcRule(String text, List<List<Condition>> alternatives, Set<Long> ours) {
    this.text = text;
    this.alternatives = alternatives;
    this.ours = ours;
  }

  /**
   * A rule.
   *
   * @throws IllegalArgumentException in one line that says what is wrong with it
   */
  public static HpcRule parse(String text) {
    var alternatives = new ArrayList<List<Condition>>();
    for (String alternative : text.strip().split("\\s+", -1)) {
      alternatives.add(
          alternative.equals("*")
              ? List.of()
              : java.util.Arrays.stream(alternative.split(",", -1))
                  .map(HpcRule::condition)
                  .toList());
    }
    return new HpcRule(text.strip(), List.copyOf(alternatives), Set.of());
  }

  /** The same rule without these jobs, which are our own; their components are ours, too. */
  public HpcRule butFor(Set<Long> jobs) {
    return new HpcRule(text, alternatives, Set.copyOf(jobs));
  }

  private static Condition condition(String text) {
    int equals = text.indexOf('=');
    boolean negated = equals > 0 && text.charAt(equals - 1) == '!';
    String field =
        equals < 0
            ? text
            : text.substring(0, negated ? equals - 1 : equals).toLowerCase(Locale.ROOT);
    Function<SlurmJob, String> value = FIELDS.get(field);
    if (equals < 0 || value == null) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no condition on jobs; write FIELD=PATTERN or FIELD!=PATTERN, with FIELD one"
              + " of "
              + FIELDS.keySet().stream().sorted().collect(Collectors.joining(", ")));
    }
    return new Condition(value, text.substring(equals + 1), negated);
  }

  /**
   * Whether a text fits a pattern, in as many steps as both lengths multiplied at most: a regular
   * expression with dozens of {@code .*} takes for ever to find that a text does not fit. Only the
   * last {@code *} can have taken too little.
   */
  static boolean matches(String pattern, String text) {
    int at = 0;
    int star = -1; // the last one, and from where on the text after it is tried
    int tried = 0;
    int i = 0;
    while (i < text.length()) {
      char wanted = at < pattern.length() ? pattern.charAt(at) : 0;
      if (at < pattern.length() && wanted == '*') {
        star = at++;
        tried = i;
      } else if (at < pattern.length() && (wanted == '?' || wanted == text.charAt(i))) {
        at++;
        i++;
      } else if (star >= 0) {
        at = star + 1;
        i = ++tried;
      } else {
        return false;
      }
    }
    return pattern.substring(at).chars().allMatch(c -> c == '*');
  }

  /** The rule as it was written. */
  String text() {
    return text;
  }

  /** Whether a job counts as HPC. */
  public boolean counts(SlurmJob job) {
    boolean own = ours.contains(job.id()) || ours.contains(job.hetJob());
    return !own
        && !job.isEleys()
        && alternatives.stream().anyMatch(all -> all.stream().allMatch(c -> c.holds(job)));
  }

  /** Rules of the same text but for the same jobs count the same jobs. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HpcRule rule && text.equals(rule.text) && ours.equals(rule.ours);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text, ours);
  }

  @Override
  public String toString() {
    return text;
  }
}
