package io.eley.coordinator.config;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import java.time.Duration;
import java.util.List;

/** Configuration of the sources that see phases by themselves. */
public final class SignalKeys {
  public static final ConfigKey<Boolean> SLURM =
      ConfigKey.flag(
          "eley.signal.slurm", false, "Whether HPC jobs' I/O is seen in Slurm's accounting.");

  public static final ConfigKey<String> SLURM_JOBS =
      ConfigKey.text(
              "eley.signal.slurm.jobs",
              "*",
              "Which jobs count as HPC: alternatives separated by spaces, conditions of one by commas,"
                  + " such as partition=hpc user=alice,name=ior*; * is every job but our own.")
          .formerly("eley.slurm.jobs");

  public static final ConfigKey<String> SLURM_CONF =
      ConfigKey.text(
              "eley.signal.slurm.conf",
              "",
              "The slurm.conf that Slurm's commands are to use, SLURM_CONF; empty for their own choice.")
          .formerly("eley.slurm.conf");

  public static final ConfigKey<Duration> SLURM_INTERVAL =
      ConfigKey.duration(
              "eley.signal.slurm.interval",
              "1s",
              "50ms",
              "1m",
              "How often sstat is asked, at most; less often where slurmctld is slow.")
          .formerly("eley.slurm.interval");

  public static final ConfigKey<Duration> SLURM_QUEUE_INTERVAL =
      ConfigKey.duration(
              "eley.signal.slurm.queue-interval",
              "1s",
              "50ms",
              "10m",
              "How often squeue is asked which jobs there are, at most.")
          .formerly("eley.slurm.queue.interval");

  public static final ConfigKey<Duration> SIGNAL_DEADLINE =
      ConfigKey.duration(
          "eley.signal.deadline",
          "3s",
          "100ms",
          "1m",
          "How long a source's command may take before it is killed.");

  public static final ConfigKey<String> COUNTERS =
      ConfigKey.text(
          "eley.signal.counters",
          "",
          "The file system's counters: orangefs:MOUNT, lustre:FILES, gpfs:COMMANDS or file:PATH;"
              + " empty for none.");

  public static final ConfigKey<Duration> COUNTERS_INTERVAL =
      ConfigKey.duration(
              "eley.signal.counters.interval",
              "1s",
              "100ms",
              "1m",
              "How often the counters are read; while a phase is open or suspected at least each 250 ms.")
          .formerly("eley.counters.interval");

  public static final ConfigKey<String> NEIGHBOURS =
      ConfigKey.text(
          "eley.signal.neighbours",
          "",
          "Directory in which deployments of one user tell each other what they move, so that it is"
              + " nobody's phase; empty for none, eley start and jobs take ~/.eley/neighbours.");

  public static final ConfigKey<String> BOARD =
      ConfigKey.text(
          "eley.signal.board",
          "",
          "Directory in which a site's board is published, eley board --publish; empty for none.");

  public static final ConfigKey<Boolean> PROBE =
      ConfigKey.flag(
          "eley.signal.probe",
          false,
          "Whether small timed writes to a private file on the origin look for others' I/O; needs a"
              + " mounted origin.");

  public static final ConfigKey<String> PROBE_DIRECTORY =
      ConfigKey.text(
              "eley.signal.probe.directory",
              "",
              "Where the probe's file is, best on a mount that carries none of our reads; empty for the"
                  + " origin.")
          .formerly("eley.probe.directory");

  public static final ConfigKey<DataSize> PROBE_SIZE =
      ConfigKey.size("eley.signal.probe.size", "1m", "4k", "64m", "Bytes of one probe, IOR's -t.")
          .formerly("eley.probe.size");

  public static final ConfigKey<Boolean> PROBE_SYNC =
      ConfigKey.flag("eley.signal.probe.sync", true, "Whether a probe is synced, IOR's -e.")
          .formerly("eley.probe.sync");

  public static final ConfigKey<Boolean> PROBE_READ =
      ConfigKey.flag(
              "eley.signal.probe.read", false, "Whether a probe is read back, too, IOR's -r.")
          .formerly("eley.probe.read");

  public static final ConfigKey<Duration> PROBE_INTERVAL =
      ConfigKey.duration(
              "eley.signal.probe.interval", "1s", "100ms", "10m", "Between two probes, at least.")
          .formerly("eley.probe.interval");

  private SignalKeys() {}

  /** All keys of this class, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        SLURM,
        SLURM_JOBS,
        SLURM_CONF,
        SLURM_INTERVAL,
        SLURM_QUEUE_INTERVAL,
        COUNTERS,
        COUNTERS_INTERVAL,
        NEIGHBOURS,
        BOARD,
        PROBE,
        PROBE_DIRECTORY,
        PROBE_SIZE,
        PROBE_SYNC,
        PROBE_READ,
        PROBE_INTERVAL,
        SIGNAL_DEADLINE);
  }
}
