package io.eley.demo;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.config.DataSize;
import io.eley.workloads.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the demo runs. Start from {@link #full} or {@link #quick} and replace the parts that differ.
 *
 * @param workloads in this order, one or more
 * @param input what Spark reads
 * @param origin the emulated PFS
 * @param buffer the deployment of each run
 * @param hpc the HPC application
 * @param repetitions of everything but the preparation
 * @param out directory for {@code report.json} and {@code report.html}; made when it does not exist
 */
public record DemoOptions(
    List<Workload> workloads,
    Input input,
    PfsSettings origin,
    Buffer buffer,
    Hpc hpc,
    int repetitions,
    Path out) {

  public DemoOptions {
    workloads = List.copyOf(workloads);
    if (workloads.isEmpty()) {
      throw new IllegalArgumentException("at least one workload");
    }
    if (repetitions < 1) {
      throw new IllegalArgumentException("at least one repetition");
    }
  }

  /** WordCount and Sort: at most six minutes on two cores. */
  public static DemoOptions full(Path out) {
    return new DemoOptions(
        List.of(Workload.WORD_COUNT, Workload.SORT),
        Input.GENERATED,
        PfsSettings.CALIBRATED,
        Buffer.SMALL,
        Hpc.SCALED,
        1,
        out);
  }

  /** WordCount only: at most three minutes. */
  public static DemoOptions quick(Path out) {
    return full(out).withWorkloads(List.of(Workload.WORD_COUNT));
  }

  public DemoOptions withWorkloads(List<Workload> others) {
    return new DemoOptions(others, input, origin, buffer, hpc, repetitions, out);
  }

  public DemoOptions withRepetitions(int other) {
    return new DemoOptions(workloads, input, origin, buffer, hpc, other, out);
  }

  public DemoOptions withInput(Input other) {
    return new DemoOptions(workloads, other, origin, buffer, hpc, repetitions, out);
  }

  public DemoOptions withOrigin(PfsSettings other) {
    return new DemoOptions(workloads, input, other, buffer, hpc, repetitions, out);
  }

  public DemoOptions withBuffer(Buffer other) {
    return new DemoOptions(workloads, input, origin, other, hpc, repetitions, out);
  }

  public DemoOptions withHpc(Hpc other) {
    return new DemoOptions(workloads, input, origin, buffer, other, repetitions, out);
  }

  /**
   * What Spark reads.
   *
   * @param directory with the user's own files; null generates random text
   * @param size of generated text; null sizes it so that WordCount computes for about {@code
   *     mapSeconds}
   * @param mapSeconds aimed at, without any reading
   * @param leastWaves at least so many waves, whatever the size
   * @param split what one task reads
   * @param seed of generated text
   */
  public record Input(
      @Nullable Path directory,
      @Nullable DataSize size,
      Duration mapSeconds,
      int leastWaves,
      DataSize split,
      long seed) {
    static final Input GENERATED =
        new Input(null, null, Duration.ofSeconds(10), 6, DataSize.ofMebibytes(32), 2017);

    public Input {
      if (leastWaves < 1 || split.bytes() < 1 << 20) {
        throw new IllegalArgumentException("at least one wave, and splits of 1m or more");
      }
    }

    public Input withDirectory(Path other) {
      return new Input(other, null, mapSeconds, leastWaves, split, seed);
    }

    public Input withSize(DataSize other) {
      return new Input(null, other, mapSeconds, leastWaves, split, seed);
    }

    public Input withSeed(long other) {
      return new Input(directory, size, mapSeconds, leastWaves, split, other);
    }
  }

  /**
   * The emulated PFS.
   *
   * @param capacity bytes per second that all clients share; null measures how fast the tasks of a
   *     wave compute WordCount and takes a quarter more, so that what the HPC application leaves is
   *     about what they can use
   * @param streamRate bytes per second that one stream can move at most; null takes a share of the
   *     capacity, one for each task of a wave
   * @param latency added to every request
   */
  public record PfsSettings(
      @Nullable DataSize capacity, @Nullable DataSize streamRate, Duration latency) {
    static final PfsSettings CALIBRATED = new PfsSettings(null, null, Duration.ofMillis(2));

    public PfsSettings withCapacity(DataSize other) {
      return new PfsSettings(other, streamRate, latency);
    }

    public PfsSettings withStreamRate(DataSize other) {
      return new PfsSettings(capacity, other, latency);
    }

    public PfsSettings withLatency(Duration other) {
      return new PfsSettings(capacity, streamRate, other);
    }
  }

  /**
   * The deployment.
   *
   * @param nodes how many
   * @param memory of each node
   * @param geometry of blocks and chunks
   * @param fetchers of each node: origin reads under way at once
   * @param wavesAhead how far the window reaches past the running wave: about as many waves as
   *     Spark computes during one HPC phase
   */
  public record Buffer(
      int nodes, DataSize memory, BlockGeometry geometry, int fetchers, int wavesAhead) {
    static final Buffer SMALL =
        new Buffer(2, DataSize.ofMebibytes(256), BlockGeometry.DEFAULT, 2, 5);

    public Buffer withMemory(DataSize other) {
      return new Buffer(nodes, other, geometry, fetchers, wavesAhead);
    }
  }

  /**
   * The HPC application.
   *
   * @param tasks that write at once
   * @param phase how long one phase takes alone
   * @param pause before each phase
   * @param transfer size of one write
   * @param alonePhases how many phases are measured alone
   */
  public record Hpc(int tasks, Duration phase, Duration pause, DataSize transfer, int alonePhases) {
    static final Hpc SCALED =
        new Hpc(4, Duration.ofSeconds(3), Duration.ofSeconds(3), DataSize.ofMebibytes(1), 3);
  }
}
