package io.eley.experiments;

import java.util.List;
import java.util.Map;

/**
 * Where an experiment runs.
 *
 * @param mounts of the file system
 * @param mpirun the command that starts several tasks, without their number
 * @param ior the command of IOR
 * @param witnesses of HPC applications' I/O that are there
 * @param settings further configuration keys for all deployments
 * @param alluxio that is installed
 * @param dropCaches whether the kernel's page cache is emptied before each run
 */
record Site(
    HostMounts mounts,
    List<String> mpirun,
    List<String> ior,
    Witnesses witnesses,
    Map<String, String> settings,
    AlluxioPrograms alluxio,
    boolean dropCaches) {
  /**
   * Who else could tell of phases.
   *
   * @param counters {@code eley.signal.counters}; empty without counters
   * @param slurm whether IOR runs in a Slurm job
   * @param board {@code eley.signal.board}, the directory of a board that runs; empty without one
   */
  record Witnesses(String counters, boolean slurm, String board) {}

  Site {
    mpirun = List.copyOf(mpirun);
    ior = List.copyOf(ior);
    settings = Map.copyOf(settings);
  }

  /** The same, with processes that see its mounts elsewhere. */
  Site at(HostMounts others) {
    return new Site(others, mpirun, ior, witnesses, settings, alluxio, dropCaches);
  }
}
