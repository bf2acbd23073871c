package io.eley.coordinator.phases;

import io.eley.controller.loop.ControlLoop;

/**
 * The values of the control loop that pollers on other threads need: the agent writes them, any
 * thread reads them.
 */
public final class PublishedRates {
  private volatile double ourBytesPerSecond;
  private volatile boolean phaseKnownWithoutProbe;

  /** Publishes the present values; the agent calls it with each tick. */
  public void publish(ControlLoop control) {
    ourBytesPerSecond = control.ourBytesPerSecond();
    phaseKnownWithoutProbe = control.openBesides(Signals.PROBE);
  }

  /** Bytes a second that all nodes read from the origin. */
  double ourBytesPerSecond() {
    return ourBytesPerSecond;
  }

  /** Whether a phase is known from another source than the probe. */
  boolean phaseKnownWithoutProbe() {
    return phaseKnownWithoutProbe;
  }
}
