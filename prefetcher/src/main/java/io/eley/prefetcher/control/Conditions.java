package io.eley.prefetcher.control;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an operator bases its decision on.
 *
 * @param open the phases that are open, in the order of their applications' names
 * @param expected the phase that is expected next, when its guard interval has begun
 * @param heldFor for how long waiting tasks have been held, less what gaps gave back; see {@link
 *     HoldAge}
 * @param doubt why there may be a phase although none is open
 * @param outlook what the models predict
 */
public record Conditions(
    List<Activity> open,
    Optional<Expected> expected,
    Duration heldFor,
    Doubt doubt,
    Outlook outlook) {
  /** Why there may be a phase although none is open. */
  public enum Doubt {
    /** The sources would see it. */
    NONE,
    /** There is no source that could see a phase by itself: only announced ones are known. */
    UNSEEN,
    /** Every source that used to see phases by itself is lost. */
    BLIND,
    /** Our own reads have become slower, or the like, and it is being found out why. */
    LISTENING
  }

  public Conditions {
    open = List.copyOf(open);
  }

  /**
   * An HPC application that is in a phase.
   *
   * @param application its name
   * @param bytesPerSecond at which it moves data on the origin when it is alone; empty when that is
   *     not known. While we read it is slower: who went by that would be allowed the more the more
   *     he takes
   * @param aloneKnown whether its phases' length alone has been learned
   */
  public record Activity(String application, Optional<Double> bytesPerSecond, boolean aloneKnown) {}

  /**
   * A phase that is expected.
   *
   * @param application whose phase it is
   * @param untilOnset negative when it is late
   */
  public record Expected(String application, Duration untilOnset) {}

  /** Conditions in which nothing is open, expected or known. */
  public static Conditions quiet() {
    return new Conditions(List.of(), Optional.empty(), Duration.ZERO, Doubt.NONE, Outlook.UNKNOWN);
  }

  /** Conditions in which these applications are in a phase and nothing else is known. */
  public static Conditions inPhase(List<String> applications) {
    return new Conditions(
        applications.stream().map(a -> new Activity(a, Optional.empty(), false)).toList(),
        Optional.empty(),
        Duration.ZERO,
        Doubt.NONE,
        Outlook.UNKNOWN);
  }

  /** The same, after the hold has lasted for so long. */
  Conditions withHeldFor(Duration age) {
    return new Conditions(open, expected, age, doubt, outlook);
  }

  /** Whether any phase is open. */
  public boolean inPhase() {
    return !open.isEmpty();
  }

  /**
   * What all open phases move together alone, in bytes a second: the whole capacity of the origin
   * when that is not known of one of them, since an HPC phase is usually as fast as the file
   * system.
   */
  double foreignBytesPerSecond() {
    double capacity = outlook.interference().capacity();
    double sum = 0;
    for (Activity phase : open) {
      sum += phase.bytesPerSecond().orElse(capacity);
    }
    return sum;
  }

  /** The applications' names, for people. */
  String applications() {
    return open.stream().map(Activity::application).collect(Collectors.joining(", "));
  }
}
