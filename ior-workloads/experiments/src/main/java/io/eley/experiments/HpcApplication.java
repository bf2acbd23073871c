package io.eley.experiments;

import io.eley.bb.api.config.DataSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An HPC application: IOR that writes a file per process, phase after phase.
 *
 * @param name under which it announces
 * @param firstHost of its tasks, which have a host each
 * @param tasks that write at once
 * @param block bytes that each writes in a phase
 * @param first before its first phase
 * @param pause after each phase
 * @param phases how many
 */
record HpcApplication(
    String name,
    int firstHost,
    int tasks,
    DataSize block,
    Duration first,
    Duration pause,
    int phases) {
  /** Pauses in which nothing happens. */
  static final Duration SHORT = Duration.ofSeconds(1);

  private static final Duration FIRST = Duration.ofSeconds(4);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final int PHASES = 5;
  private static final Duration PHASE_MARGIN = Duration.ofMinutes(5);

  /** The only application: five phases, pauses of 5 s. */
  static HpcApplication only(int tasks, DataSize block) {
    return new HpcApplication("ior", 0, tasks, block, FIRST, PAUSE, PHASES);
  }

  HpcApplication withBlock(DataSize other) {
    return new HpcApplication(name, firstHost, tasks, other, first, pause, phases);
  }

  HpcApplication withPhases(int other) {
    return new HpcApplication(name, firstHost, tasks, block, first, pause, other);
  }

  HpcApplication withPauses(Duration before, Duration after) {
    return new HpcApplication(name, firstHost, tasks, block, before, after, phases);
  }

  /** The same with short pauses. */
  HpcApplication hurrying() {
    return withPauses(SHORT, SHORT);
  }

  /** What a phase writes, all tasks together. */
  long phaseBytes() {
    return tasks * block.bytes();
  }

  /** A phase that takes longer hangs. */
  Duration phaseBound() {
    return PHASE_MARGIN.plus(Sizes.slowly(phaseBytes()));
  }

  /** All phases and pauses, on the slowest file system. */
  Duration slowest() {
    return first.plus(Sizes.slowly(phaseBytes()).plus(pause).multipliedBy(phases));
  }

  /**
   * The command of one phase.
   *
   * @param directory of the experiment's files, relative to a mount
   */
  List<String> command(Site site, String directory) {
    var files = new ArrayList<String>();
    for (int i = 0; i < tasks; i++) {
      files.add(site.mounts().of(firstHost + i).resolve(directory).resolve("ior-" + name) + "");
    }
    var command = new ArrayList<>(site.mpirun());
    command.addAll(List.of("-n", Integer.toString(tasks)));
    command.addAll(site.ior());
    command.addAll(List.of(letters().split(" ", -1)));
    // IOR's word for a file of its own for each task.
    command.addAll(List.of("-o", String.join("@", files)));
    return command;
  }

  /**
   * IOR's letters. With -e it syncs within the phase: a client that caches writes would be measured
   * otherwise, not its file system. Its stamps, by which phases are known to the microsecond, need
   * -vvv.
   */
  String letters() {
    return "-a POSIX -w -e -F -b " + block + " -t 1m -vvv";
  }
}
