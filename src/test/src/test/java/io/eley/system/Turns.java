package io.eley.system;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Which of several long tests, or of a test's parameters, a build runs: one of them, by {@code
 * eley.test.base}, which follows from the tree's content where {@code .ci/run} builds and is random
 * elsewhere; all of them with {@code -Deley.test.all=true}.
 */
public final class Turns implements ExecutionCondition {
  private static final boolean ALL = Boolean.getBoolean("eley.test.all");
  private static final long BASE = Long.getLong("eley.test.base", System.nanoTime());

  /** For JUnit. */
  public Turns() {}

  /** The one whose turn it is, or all. */
  public static <T> List<T> of(List<T> each) {
    return ALL ? each : List.of(each.get(turn(BASE, each.size())));
  }

  static int turn(long base, int of) {
    // Each count has digits of its own: no two turns always come together.
    return (int) Math.floorMod(Long.rotateRight(base * 0x9E3779B97F4A7C15L, of), (long) of);
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    InTurn turn = findAnnotation(context.getElement(), InTurn.class).orElse(null);
    if (turn == null || ALL || turn(BASE, turn.of()) == turn.turn()) {
      return ConditionEvaluationResult.enabled("its turn");
    }
    return ConditionEvaluationResult.disabled(
        "another build's turn (" + turn.of() + " share one); -Deley.test.all=true runs all");
  }
}
