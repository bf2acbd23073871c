package io.eley.demo;

import io.eley.laboratory.ExperimentClock;
import java.util.ArrayList;
import java.util.List;

/** A clock that only moves when somebody waits, and moves the world with it. */
final class FakeClock implements ExperimentClock {
  static final long ZERO = 1_795_000_000_000_000L;

  private final List<Runnable> world = new ArrayList<>();
  private long micros = ZERO;

  @Override
  public long epochMicros() {
    return micros;
  }

  @Override
  public void pause() {
    micros += LOOK.toNanos() / 1000;
    world.forEach(Runnable::run);
  }

  /** Called after each step of time. */
  void onStep(Runnable step) {
    world.add(step);
  }

  double seconds() {
    return (micros - ZERO) / 1e6;
  }
}
