package io.eley.experiments;

import java.util.List;
import java.util.Map;

/**
 * Where an experiment runs.
 *
 * @param mounts of the file system
 * @param mpirun the command that starts several tasks, without their number
 * @param ior the command of IOR
 * @param counters {@code eley.signal.counters}; empty without counters
 * @param slurm whether IOR runs in a Slurm job
 * @param settings further configuration keys for all deployments
 * @param dropCaches whether the kernel's page cache is emptied before each run
 */
record Site(
    HostMounts mounts,
    List<String> mpirun,
    List<String> ior,
    String counters,
    boolean slurm,
    Map<String, String> settings,
    boolean dropCaches) {
  Site {
    mpirun = List.copyOf(mpirun);
    ior = List.copyOf(ior);
    settings = Map.copyOf(settings);
  }
}
