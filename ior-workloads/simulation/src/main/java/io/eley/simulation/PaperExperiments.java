package io.eley.simulation;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.prefetcher.control.DemandPolicy;
import io.eley.prefetcher.control.OperatorChoice;
import io.eley.prefetcher.plan.WindowReach;
import io.eley.simulation.Scenario.Control;
import io.eley.simulation.Scenario.HpcLoad;
import io.eley.simulation.Scenario.Net;
import io.eley.simulation.Scenario.Nodes;
import io.eley.simulation.Scenario.Origin;
import io.eley.simulation.Scenario.SparkJob;
import java.time.Duration;
import java.util.List;

/**
 * The two experiments of the paper (Yildiz, Zhou and Ibrahim, IEEE Cluster 2017) at its own scale:
 * 32 Spark workers of 16 slots, 8 buffer nodes of 32 GB with a fetcher each, 10 GbE, OrangeFS on 6
 * nodes, 160 GB of input, IOR with pauses of 20 s.
 *
 * <p>What the paper does not state is a parameter here: what one PFS server delivers, and how fast
 * a task computes. Nothing is fitted to the paper's results.
 */
public final class PaperExperiments {
  private static final long GB = 1_000_000_000L;
  private static final double TEN_GIGABIT = 1.25e9;
  private static final int PFS_SERVERS = 6;
  private static final int BUFFER_NODES = 8;
  private static final int SLOTS = 512;
  private static final int SPLITS = 2560;
  private static final long INPUT = 160 * GB;
  private static final double PAUSE = 20;
  private static final double MAX_SLOWDOWN = 0.1;

  /** The paper's IOR loads, and one more. */
  public enum Load {
    /** Experiment 1: 32 nodes, one process each, 4 GB. */
    IOR_32_X_4_GB(32, 4 * GB),
    /** Experiment 2: 8 nodes, one process each, 8 GB. */
    IOR_8_X_8_GB(8, 8 * GB),
    /** Ours, not the paper's: one process, which the file system could serve beside us. */
    IOR_1_X_32_GB(1, 32 * GB);

    private final int processes;
    private final long bytes;

    Load(int processes, long bytes) {
      this.processes = processes;
      this.bytes = bytes;
    }
  }

  /** The paper's applications, as the simulation sees them: how fast a task works on its input. */
  public enum Application {
    /** Reduce-heavy: the map phase is little more than reading and partitioning. */
    SORT(60e6),
    /** Map-heavy. */
    WORD_COUNT(30e6);

    private final double computeBytesPerSecond;

    Application(double computeBytesPerSecond) {
      this.computeBytesPerSecond = computeBytesPerSecond;
    }

    /** Bytes a second that one of 16 tasks on a node of the time works on. */
    public double computeBytesPerSecond() {
      return computeBytesPerSecond;
    }
  }

  /**
   * What the paper leaves open.
   *
   * @param serverBytesPerSecond what one of the six PFS servers delivers
   * @param taskWeight see {@link Origin}
   * @param otherWorkSeconds see {@link SparkJob}: of one of the five iterations
   */
  public record Setting(double serverBytesPerSecond, double taskWeight, double otherWorkSeconds) {}

  private PaperExperiments() {}

  /**
   * One of its runs.
   *
   * @param setting what the paper leaves open
   */
  public static Scenario scenario(
      Load load, Application application, BufferMode mode, Setting setting) {
    double capacity = PFS_SERVERS * Math.min(setting.serverBytesPerSecond(), TEN_GIGABIT);
    return new Scenario(
        2017,
        mode,
        new Nodes(BUFFER_NODES, 32 * GB, 1, new BlockGeometry(64 << 20, 1 << 20), 0, -1),
        new Origin(capacity, TEN_GIGABIT, 0.0005, setting.taskWeight()),
        new Net(0.0005, 0, TEN_GIGABIT * BUFFER_NODES / SLOTS * 4),
        List.of(
            new SparkJob(
                SPLITS,
                INPUT / SPLITS,
                SLOTS,
                application.computeBytesPerSecond(),
                0.1,
                setting.otherWorkSeconds())),
        List.of(new HpcLoad(load.processes, load.bytes, PAUSE, 0)),
        control(1));
  }

  private static Control control(int fetchers) {
    return new Control(
        WindowReach.growing(fetchers),
        DemandPolicy.WAIT,
        Duration.ofSeconds(60),
        16 << 20,
        OperatorChoice.CHOOSER,
        MAX_SLOWDOWN,
        Scenario.Signals.BOTH);
  }

  /**
   * A deployment of today's size, to show where the coordinator's time goes: every node holds and
   * fetches its share of one large application.
   */
  public static Scenario scale(int nodes) {
    int slots = nodes * 16;
    long split = 64L << 20;
    return new Scenario(
        2026,
        BufferMode.FULL_DELAY,
        new Nodes(nodes, 4 * GB, 4, new BlockGeometry(16 << 20, 1 << 20), 0, -1),
        new Origin(nodes * 0.4e9, TEN_GIGABIT, 0.0005, 1.0 / 16),
        new Net(0.001, 0, TEN_GIGABIT / 4),
        List.of(new SparkJob(3 * slots, split, slots, 30e6, 0.1, 0)),
        List.of(new HpcLoad(nodes, GB, 5, 0.1)),
        control(4));
  }
}
