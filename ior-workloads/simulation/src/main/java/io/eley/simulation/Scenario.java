package io.eley.simulation;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.prefetcher.control.DemandPolicy;
import io.eley.prefetcher.control.OperatorChoice;
import io.eley.prefetcher.plan.WindowReach;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * A cluster and what runs on it.
 *
 * @param seed of everything random in the run
 * @param mode the system that runs
 * @param nodes the buffer
 * @param origin the file system
 * @param network between all of them
 * @param spark one job for each application
 * @param hpc one load for each application
 * @param control how permits are given
 */
public record Scenario(
    long seed,
    BufferMode mode,
    Nodes nodes,
    Origin origin,
    Net network,
    List<SparkJob> spark,
    List<HpcLoad> hpc,
    Control control) {

  /**
   * The buffer.
   *
   * @param count nodes
   * @param memory bytes of each
   * @param fetchers of each
   * @param geometry of blocks and chunks
   * @param skewSeconds clocks are off by at most so much
   * @param killAt when the first node dies, in seconds; negative for never
   */
  public record Nodes(
      int count,
      long memory,
      int fetchers,
      BlockGeometry geometry,
      double skewSeconds,
      double killAt) {}

  /**
   * The file system.
   *
   * @param bytesPerSecond of all streams together
   * @param streamBytesPerSecond of one
   * @param latencySeconds of a request
   * @param taskWeight share of a task's own stream, relative to a node's or an HPC process's: 1 is
   *     fair per stream; 1/16, with 16 tasks on a host, fair per host
   */
  public record Origin(
      double bytesPerSecond,
      double streamBytesPerSecond,
      double latencySeconds,
      double taskWeight) {}

  /**
   * The network.
   *
   * @param mostDelaySeconds of a message
   * @param loss part of the messages that never arrives
   * @param ramBytesPerSecond at which a task gets a block out of a node's RAM
   */
  public record Net(double mostDelaySeconds, double loss, double ramBytesPerSecond) {}

  /**
   * A Spark application's map phase.
   *
   * @param splits tasks
   * @param splitBytes of each
   * @param slots tasks that run at once
   * @param computeBytesPerSecond of one task
   * @param spread by which tasks differ, 0 to 1
   * @param otherWorkSeconds after each wave, when the application iterates: reducing, writing;
   *     nothing of the input is read meanwhile. 0 lets a wave flow into the next.
   */
  public record SparkJob(
      int splits,
      long splitBytes,
      int slots,
      double computeBytesPerSecond,
      double spread,
      double otherWorkSeconds) {}

  /**
   * An HPC application.
   *
   * @param processes that write at once
   * @param bytesOfEach in a phase
   * @param pauseSeconds between phases
   * @param jitter of the pauses, 0 to 1
   */
  public record HpcLoad(int processes, long bytesOfEach, double pauseSeconds, double jitter) {}

  /**
   * How permits are given.
   *
   * @param reach of windows, ahead of the tasks that run
   * @param demand see {@code eley.hold.demand}
   * @param delayMax see {@code eley.delay.max}
   * @param cappedBytesPerSecond see {@code eley.delay.capped-rate}
   * @param operator see {@code eley.operator}
   * @param maxSlowdown see {@code eley.operator.max-slowdown}
   * @param signals how phases are known
   */
  public record Control(
      WindowReach reach,
      DemandPolicy demand,
      Duration delayMax,
      long cappedBytesPerSecond,
      OperatorChoice operator,
      double maxSlowdown,
      Signals signals) {
    /** The same with windows of another reach. */
    public Control with(WindowReach other) {
      return new Control(
          other, demand, delayMax, cappedBytesPerSecond, operator, maxSlowdown, signals);
    }
  }

  /** How phases are known. */
  public enum Signals {
    /** Applications announce them. */
    ANNOUNCED,
    /** Slurm's accounting, asked every 250 ms, shows who does I/O. */
    ACCOUNTED,
    /** Both, and accounting shows how many bytes it is. */
    BOTH
  }

  /** The same with another system. */
  public Scenario with(BufferMode other) {
    return new Scenario(seed, other, nodes, origin, network, spark, hpc, control);
  }

  /** The same with windows of another reach. */
  public Scenario with(WindowReach reach) {
    return new Scenario(seed, mode, nodes, origin, network, spark, hpc, control.with(reach));
  }

  /** A small random cluster with trouble: lost messages, skewed clocks, dying nodes. */
  public static Scenario random(long seed) {
    int chunk = 1 << 16;
    return random(seed, chunks -> new BlockGeometry(chunk * chunks, chunk));
  }

  /** The same with blocks of this size; all else that has a size is in proportion to them. */
  static Scenario random(long seed, BlockGeometry geometry) {
    return random(seed, chunks -> geometry);
  }

  private static Scenario random(long seed, IntFunction<BlockGeometry> ofChunks) {
    var r = new Random(seed);
    var geometry = ofChunks.apply(1 + r.nextInt(4));
    var modes = BufferMode.values();
    var policies = DemandPolicy.values();
    var signals = Signals.values();
    var operators = OperatorChoice.values();
    long block = geometry.blockSize();
    boolean longRun = r.nextInt(20) == 0;
    int nodes = 1 + r.nextInt(4);
    var jobs =
        java.util.stream.IntStream.rangeClosed(0, r.nextInt(2))
            .mapToObj(
                i ->
                    new SparkJob(
                        (1 + r.nextInt(24)) * (longRun ? 8 : 1),
                        block / 2 * (1 + r.nextInt(4)),
                        1 + r.nextInt(6),
                        block * (0.5 + 4 * r.nextDouble()),
                        r.nextDouble() / 2,
                        r.nextInt(3) == 0 ? 3 * r.nextDouble() : 0))
            .toList();
    var loads =
        java.util.stream.IntStream.range(0, r.nextInt(3))
            .mapToObj(
                i ->
                    new HpcLoad(
                        1 + r.nextInt(4),
                        block * (1 + r.nextInt(longRun ? 4 : 20)),
                        0.2 + (longRun ? 1 : 4) * r.nextDouble(),
                        r.nextDouble() / 2))
            .toList();
    double capacity = block * (1 + 12 * r.nextDouble());
    var scenario =
        new Scenario(
            seed,
            modes[r.nextInt(modes.length)],
            new Nodes(
                nodes,
                block * (1 + r.nextInt(12)),
                1 + r.nextInt(3),
                geometry,
                0.2,
                nodes > 1 && r.nextInt(4) == 0 ? 5 * r.nextDouble() : -1),
            new Origin(capacity, capacity / (1 + r.nextInt(3)), 0.002 * r.nextDouble(), 1),
            new Net(0.001 + 0.03 * r.nextDouble(), r.nextInt(3) == 0 ? 0.05 : 0, block * 50.0),
            jobs,
            loads,
            new Control(
                WindowReach.fixed(r.nextInt(4)),
                policies[r.nextInt(policies.length)],
                Duration.ofMillis(500 + r.nextInt(4000)),
                block * nodes,
                operators[r.nextInt(operators.length)],
                r.nextInt(4) == 0 ? 0 : r.nextDouble() / 2,
                signals[r.nextInt(signals.length)]));
    return r.nextBoolean()
        ? scenario.with(WindowReach.growing(scenario.nodes().fetchers()))
        : scenario;
  }
}
