package io.eley.test.patience;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets {@code await()} wait longer than Awaitility's ten seconds, in each JVM of tests that has
 * this module on its class path. The bound says only that something comes at all: on a machine that
 * does other work, too, ten seconds may pass before a process has started or a thread had its turn.
 * A test that judges time says so, and gives a bound of its own.
 *
 * <p>And lets no {@code await()} fail by what an arbitrary thread of the JVM has died of, as
 * Awaitility does where nothing is said.
 */
public final class LongAwaits implements TestExecutionListener {
  /** Less than the shortest {@code @Timeout} of a class, so that the awaited state is named. */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    Awaitility.setDefaultTimeout(PATIENCE);
    // Where classes run beside each other it may be any test's thread, and fails whichever awaits.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }
}
