package io.eley.simulation;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.List;

/** The sources that are polled, as the coordinator's process polls them. */
final class TestbedSources {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FRESH = Duration.ofSeconds(9);

  /** Between two looks at the counters while something goes on. */
  private static final Duration CLOSE = Duration.ofMillis(250);

  /** What one look takes. */
  private static final Duration LOOK = Duration.ofMillis(30);

  static final SourceKind COUNTERS = SourceKind.sampled("counters", 0.8, SECOND, FRESH).ofTotals();
  static final SourceKind SLURM = SourceKind.sampled("slurm", 0.95, SECOND, FRESH);

  private final Agenda agenda;
  private final SimCoordinator coordinator;
  private boolean closely;
  private long looks;
  private long lookedAt;
  private long seen;

  TestbedSources(Agenda agenda, SimCoordinator coordinator) {
    this.agenda = agenda;
    this.coordinator = coordinator;
  }

  static List<SourceKind> of(Testbed.Trial trial) {
    return switch (trial) {
      case COUNTERS -> List.of(COUNTERS);
      case SLURM -> List.of(SLURM);
      default -> List.of();
    };
  }

  /** Looks at the bytes of the whole file system each second, and more often when asked to. */
  void watchCounters(StripedFileSystem files) {
    coordinator
        .control()
        .onCloseLook(
            wanted -> {
              closely = wanted;
              scheduleLook(files);
            });
    scheduleLook(files);
  }

  private void scheduleLook(StripedFileSystem files) {
    long mine = ++looks;
    agenda.at(
        lookedAt + (closely ? CLOSE : SECOND).toNanos(),
        () -> {
          if (mine == looks) {
            lookAt(files);
          }
        });
  }

  private void lookAt(StripedFileSystem files) {
    long now = agenda.now();
    var total = new Sighting(Evidence.SOMEBODY, lookedAt, now, files.moved() - seen, false);
    lookedAt = now;
    seen = files.moved();
    agenda.after(LOOK, () -> coordinator.observe(COUNTERS, List.of(total)));
    scheduleLook(files);
  }

  /** Asks each second what the job step in which IOR runs has moved. */
  void watchSteps(SimIor ior) {
    agenda.every(
        SECOND,
        () -> {
          long now = agenda.now();
          var step = new Sighting("ior", lookedAt, now, ior.moved() - seen, false);
          lookedAt = now;
          seen = ior.moved();
          var steps = ior.running() ? List.of(step) : List.<Sighting>of();
          agenda.after(LOOK, () -> coordinator.observe(SLURM, steps));
        });
  }
}
