package io.eley.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * An HPC application: pauses, and phases in which a number of processes each move so many bytes,
 * announced as they begin and end, if at all.
 */
final class SimHpc {
  /** A phase as it was. */
  record Phase(double begin, double end) {
    double seconds() {
      return end - begin;
    }
  }

  private final String name;
  private final Scenario.HpcLoad load;
  private final Agenda agenda;
  private final FairLink origin;
  private final Random random;
  private final Optional<SimCoordinator> announcedTo;
  private final Network.Path toCoordinator;
  private final List<Phase> phases = new ArrayList<>();
  private int underWay;
  private long begin;

  /** The origin's progress as the phase under way began. */
  private double progressBefore;

  /** Bytes of all processes that have ended, of all phases. */
  private long ended;

  private long reported;

  SimHpc(
      String name,
      Scenario.HpcLoad load,
      Agenda agenda,
      FairLink origin,
      Random random,
      Optional<SimCoordinator> announcedTo,
      Network.Path toCoordinator) {
    this.name = name;
    this.load = load;
    this.agenda = agenda;
    this.origin = origin;
    this.random = random;
    this.announcedTo = announcedTo;
    this.toCoordinator = toCoordinator;
  }

  void start() {
    double pause = load.pauseSeconds() * (1 + load.jitter() * (2 * random.nextDouble() - 1));
    agenda.after((long) (pause * 1e9), this::runPhase);
  }

  private void runPhase() {
    begin = agenda.now();
    announcedTo.ifPresent(
        c -> toCoordinator.sendSurely(() -> c.begin(name, Duration.ofMinutes(30))));
    underWay = load.processes();
    progressBefore = origin.progress();
    for (int i = 0; i < load.processes(); i++) {
      origin.move(load.bytesOfEach(), this::moved);
    }
  }

  private void moved() {
    ended += load.bytesOfEach();
    if (--underWay > 0) {
      return;
    }
    phases.add(new Phase(begin / 1e9, agenda.now() / 1e9));
    announcedTo.ifPresent(c -> toCoordinator.sendSurely(() -> c.end(name)));
    start();
  }

  String name() {
    return name;
  }

  /** Bytes that it has moved since this was asked last, as accounting counts them: to the last. */
  long movedSinceAsked() {
    double underWayNow = underWay * (origin.progress() - progressBefore);
    long moved = Math.max(0, ended + (long) underWayNow - reported);
    reported += moved;
    return moved;
  }

  boolean inPhase() {
    return underWay > 0;
  }

  List<Phase> phases() {
    return List.copyOf(phases);
  }

  /** Seconds of a phase when nobody else is there. */
  double secondsAlone() {
    return origin.secondsAlone(load.processes(), load.bytesOfEach());
  }
}
