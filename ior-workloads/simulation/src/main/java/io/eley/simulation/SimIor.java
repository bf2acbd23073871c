package io.eley.simulation;

import io.eley.bb.api.ByteRange;
import java.util.ArrayList;
import java.util.List;

/**
 * IOR under mpirun, some phases with pauses: its processes start together, each writes a file of
 * its own through a mount of its own, one transfer after the other.
 */
final class SimIor {
  /** Is told when mpirun starts and when it has ended. */
  interface Announcements {
    void begin();

    void end();
  }

  /**
   * What it does.
   *
   * @param bytesOfEach process in a phase
   * @param transfer bytes of one call
   * @param phases how many
   * @param first nanoseconds before the first mpirun
   * @param lead of mpirun before the first byte
   * @param tail of mpirun after the last byte
   * @param pause between two
   */
  record Load(
      long bytesOfEach, int transfer, int phases, long first, long lead, long tail, long pause) {}

  private final Agenda agenda;
  private final Load load;
  private final List<Mount> mounts;
  private final Announcements announcements;
  private final List<SimHpc.Phase> phases = new ArrayList<>();
  private long begin;
  private int writing;
  private long moved;
  private boolean running;

  /**
   * An application.
   *
   * @param mounts one for each process
   */
  SimIor(Agenda agenda, Load load, List<Mount> mounts, Announcements announcements) {
    this.agenda = agenda;
    this.load = load;
    this.mounts = mounts;
    this.announcements = announcements;
  }

  void start() {
    agenda.after(load.first(), this::launch);
  }

  private void launch() {
    running = true;
    announcements.begin();
    agenda.after(load.lead(), this::write);
  }

  private void write() {
    begin = agenda.now();
    writing = mounts.size();
    for (int i = 0; i < mounts.size(); i++) {
      write(i, 0);
    }
  }

  private void write(int process, long at) {
    long length = Math.min(load.transfer(), load.bytesOfEach() - at);
    if (length == 0) {
      if (--writing == 0) {
        phases.add(new SimHpc.Phase(begin / 1e9, agenda.now() / 1e9));
        agenda.after(load.tail(), this::exit);
      }
      return;
    }
    var range = new ByteRange(at, length);
    String file = "/ior-" + phases.size() + "." + process;
    mounts
        .get(process)
        .move(
            file,
            range,
            () -> {
              moved += length;
              write(process, range.end());
            });
  }

  private void exit() {
    running = false;
    announcements.end();
    if (phases.size() < load.phases()) {
      agenda.after(load.pause(), this::launch);
    }
  }

  /** Whether mpirun runs. */
  boolean running() {
    return running;
  }

  boolean inPhase() {
    return writing > 0;
  }

  /** When the phase that goes on began, or the last one. */
  long begin() {
    return begin;
  }

  boolean over() {
    return phases.size() == load.phases() && !running;
  }

  /** Bytes written so far. */
  long moved() {
    return moved;
  }

  /** The phases that are over. */
  List<SimHpc.Phase> phases() {
    return List.copyOf(phases);
  }
}
