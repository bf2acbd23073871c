package io.eley.simulation;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import java.util.Locale;

/**
 * The experiment {@code eley experiment knowledge --phases 4 --input 768m} on an OrangeFS of four
 * servers, see docs/simulation.md. Three figures are fitted: {@link #PAYLOAD} on IOR alone, {@link
 * #LATENCY_MILLIS} on single reads when nobody else is there, {@code computeSeconds} on the map
 * time with announcements. No other row has a figure of its own.
 *
 * @param serverBytesPerSecond of a server's link, both directions together
 * @param computeSeconds of a task for each MiB
 * @param noise see {@link StripedFileSystem}
 */
public record Testbed(double serverBytesPerSecond, double computeSeconds, double noise) {
  /** The part of a link's rate that is the files' bytes; the rest is headers and answers. */
  static final double PAYLOAD = 0.945;

  /** Of a request of 1 MiB besides the servers' work. */
  static final double LATENCY_MILLIS = 14;

  static final int MIB = 1 << 20;
  static final int SERVERS = 4;
  static final int NODES = 2;
  static final int WORKERS = 2;
  static final BlockGeometry GEOMETRY = new BlockGeometry(4 * MIB, MIB);
  static final long SECOND = 1_000_000_000L;

  /** IOR as {@code mpirun} runs it: 4 × 96 MiB, half a second before and a fifth after the I/O. */
  static final SimIor.Load IOR =
      new SimIor.Load(
          96L * MIB, MIB, 4, 4_350_000_000L, 480_000_000L, 200_000_000L, 4_950_000_000L);

  /** The compute rate of the machine on which the measured figures are from. */
  public static final double COMPUTE_SECONDS = 0.29;

  /** What runs beside IOR, and what it knows of phases. */
  public enum Trial {
    HPC_ALONE(BufferMode.NAIVE_BB),
    NAIVE_BB(BufferMode.NAIVE_BB),
    NO_ACTION(BufferMode.NO_ACTION),
    ANNOUNCED(BufferMode.FULL_DELAY),
    SLURM(BufferMode.FULL_DELAY),
    COUNTERS(BufferMode.FULL_DELAY),
    OWN_READS(BufferMode.FULL_DELAY);

    private final BufferMode mode;

    Trial(BufferMode mode) {
      this.mode = mode;
    }

    BufferMode mode() {
      return mode;
    }

    /** Whether own reads are a source: by default they are, beside each that is polled. */
    boolean readsListen() {
      return switch (this) {
        case SLURM, COUNTERS, OWN_READS -> true;
        default -> false;
      };
    }

    /** As the experiment's report calls it. */
    public String label() {
      return switch (this) {
        case HPC_ALONE -> "HPCAlone";
        case NAIVE_BB -> "NaiveBB";
        case NO_ACTION -> "NoAction";
        default -> "FullDelay/" + name().toLowerCase(Locale.ROOT).replace('_', '-');
      };
    }
  }

  /** The testbed with servers of so many bytes a second. */
  public static Testbed of(double serverBytesPerSecond) {
    return new Testbed(serverBytesPerSecond, COMPUTE_SECONDS, 0.15);
  }

  StripedFileSystem.Layout layout() {
    return new StripedFileSystem.Layout(
        SERVERS,
        64 << 10,
        MIB,
        PAYLOAD * serverBytesPerSecond,
        (long) (LATENCY_MILLIS * 1e6),
        noise);
  }

  Scenario.SparkJob job() {
    return new Scenario.SparkJob(96, 8L * MIB, 4, MIB / computeSeconds, 0.05, 0);
  }
}
