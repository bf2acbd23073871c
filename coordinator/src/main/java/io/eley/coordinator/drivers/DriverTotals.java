package io.eley.coordinator.drivers;

import io.eley.bb.api.wire.DeploymentReport.Totals;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What all applications of this coordinator did together. On the agent's thread. */
public final class DriverTotals {
  /** Beyond this many, one that comes back may be counted twice. */
  private static final int REMEMBERED = 1000;

  private final Set<String> known = new HashSet<>();
  private int applications;
  private int largestWave;
  private long tasks;
  private long waitedNanos;

  void noteApplication(String application) {
    if (known.size() < REMEMBERED ? known.add(application) : !known.contains(application)) {
      applications++;
    }
  }

  void noteWave(int tasks) {
    largestWave = Math.max(largestWave, tasks);
  }

  void noteRead(long nanos) {
    tasks++;
    waitedNanos += nanos;
  }

  /** Their figures, with the bytes that clients read past the nodes, and wrote. */
  public Totals report(long pastBytes, long writtenBytes) {
    long waitedMillis = TimeUnit.NANOSECONDS.toMillis(waitedNanos);
    return new Totals(
        applications, largestWave, tasks, waitedMillis, pastBytes, writtenBytes, 0, 0);
  }
}
