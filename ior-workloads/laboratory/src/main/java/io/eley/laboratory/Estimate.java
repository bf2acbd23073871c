package io.eley.laboratory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How far a row of steps has got, and how long the rest of it will take. A step begins with what
 * such a step is thought to take; steps of the same kind that have ended say it better, and all
 * that have ended say how fast this machine is. Where a step knows how much of its work is done,
 * the rest of its time shrinks with the rest of that work; where it does not, with the time that
 * passes, ever more slowly once it takes longer than thought.
 *
 * <p>Worked example: three steps thought to take 10 s each. The first took 20 s, so 20 s each are
 * expected of the others; 10 s into the second 30 of 60 s are over: half, and 30 s are left.
 *
 * <p>What is shown never goes back, whatever is learned, and never stands still while time passes:
 * it creeps on at a tenth of the speed that would be right. Pure: the caller tells the time. For
 * one thread at a time.
 */
final class Estimate {
  private static final double LEAST_PACE = 0.3;
  private static final double MOST_PACE = 5;

  /** How much of the plan stands against what has been measured. */
  private static final double BELIEF = 0.25;

  /** What is left of a step that says its work is done, for it to end. */
  private static final double TAIL = 0.05;

  /** From this part of its expected time on a step without word of its work slows down. */
  private static final double ON_TIME = 0.9;

  private static final double LATE = 1.3;
  private static final double CREEP = 0.1;

  private final List<PlannedStep> plan;
  private final double started;
  private final Map<String, Double> known = new HashMap<>();
  private double planned;
  private double measured;
  private int step = -1;
  private double stepBegan;
  private double part;
  private double workBegan;
  private double shown;
  private double shownAt;

  /**
   * What to show.
   *
   * @param part of everything, 0 to 1; 1 is never shown before the end
   * @param secondsLeft of everything
   * @param late whether this step takes clearly longer than was expected
   */
  record Shown(double part, double secondsLeft, boolean late) {}

  Estimate(List<PlannedStep> plan, double now) {
    this.plan = List.copyOf(plan);
    this.started = now;
    this.stepBegan = now;
    this.workBegan = now;
    this.shownAt = now;
  }

  /**
   * Notes that the next step begins, and the one before has ended. Beyond the plan it is no step.
   */
  void next(double now) {
    if (step >= 0 && step < plan.size()) {
      var ended = plan.get(step);
      known.merge(ended.kind(), now - stepBegan, (before, last) -> (before + last) / 2);
      planned += ended.seconds();
      measured += now - stepBegan;
    }
    step++;
    stepBegan = now;
    workBegan = now;
    part = 0;
  }

  /** Notes how much of the step's work is done, 0 to 1; less than before is ignored. */
  void advanced(double done, double now) {
    if (part == 0) {
      workBegan = now;
    }
    part = Math.max(part, Math.min(1, done));
  }

  /** What to show now; times must not go back. */
  Shown at(double now) {
    double left = stepLeft(now);
    for (int i = step + 1; i < plan.size(); i++) {
      left += expected(i);
    }
    double elapsed = now - started;
    double right = elapsed + left > 0 ? elapsed / (elapsed + left) : 0;
    double creep = 1 - Math.exp(-CREEP * (now - shownAt) / (left + 1));
    shown = Math.max(Math.min(right, 1), shown + (1 - shown) * creep);
    shownAt = now;
    boolean late = step >= 0 && step < plan.size() && now - stepBegan > LATE * expected(step);
    return new Shown(Math.min(shown, Math.nextDown(1.0)), left, late);
  }

  private double stepLeft(double now) {
    if (step < 0 || step >= plan.size()) {
      return 0;
    }
    double expected = expected(step);
    if (part > 0) {
      double work = Math.max(expected / 4, expected - (workBegan - stepBegan));
      return work * (1 - part) + TAIL * expected;
    }
    double taken = now - stepBegan;
    double onTime = ON_TIME * expected;
    return taken <= onTime
        ? expected - taken
        : (expected - onTime) * Math.exp(-2 * (taken - onTime) / expected);
  }

  private double expected(int index) {
    var planned = plan.get(index);
    Double same = known.get(planned.kind());
    return Math.max(1e-3, same == null ? planned.seconds() * pace() : same);
  }

  /** As if a part of the plan had taken what was thought: one step alone says little. */
  private double pace() {
    double whole = plan.stream().mapToDouble(PlannedStep::seconds).sum();
    double thought = BELIEF * whole + 1e-3;
    return Math.max(LEAST_PACE, Math.min(MOST_PACE, (measured + thought) / (planned + thought)));
  }
}
