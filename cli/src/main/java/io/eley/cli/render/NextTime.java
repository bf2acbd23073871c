package io.eley.cli.render;

import io.eley.bb.api.BufferMode;
import java.util.Locale;

/**
 * The one thing to change for the next run: the first rule that applies, from what costs most on.
 */
final class NextTime {
  /** Reads that tasks had to wait for are worth a word from this share on. */
  private static final double NOTABLE = 0.05;

  /** Phases that took more of the time than this are what kept the buffer from filling. */
  private static final double MUCH = 0.2;

  /** A buffer so many times as large as what it has to hold is larger than it need be. */
  private static final int GENEROUS = 4;

  private static final long MIB = 1 << 20;

  /** Less for a node is not worth the host. */
  private static final long LEAST_MEBIBYTES = 256;

  private NextTime() {}

  static String advice(BufferUse use, SizeOptions options) {
    if (use.mode() == BufferMode.NAIVE_BB) {
      return "another mode prefetches; in NaiveBB Spark reads its input from the origin itself";
    }
    if (use.readBytes() == 0 && use.totals().applications() == 0) {
      return "see what your command said: no application with Eley's settings has come"
          + " (docs/spark.md)";
    }
    if (use.readBytes() == 0) {
      return "read bb:///path/under/the/origin, or set spark.hadoop.fs.file.impl (docs/spark.md)";
    }
    return use.missed() > NOTABLE ? ofMisses(use, options) : ofHits(use, options);
  }

  private static String ofMisses(BufferUse use, SizeOptions options) {
    long wanted = use.twoWavesBytes();
    if (use.past() > NOTABLE) {
      return "find out why nodes could not serve what went past them: their logs say";
    }
    if (wanted > use.capacityBytes()) {
      return String.format(
          Locale.ROOT,
          "%s%s: a wave and the next are %dm, the nodes hold %dm",
          options.of(perNode(use, wanted), use.nodes()),
          options.ofAllNodes() ? "" : ", or more nodes",
          wanted / MIB,
          use.capacityBytes() / MIB);
    }
    if (use.phaseSeconds() > MUCH * use.seconds()) {
      return String.format(
          Locale.ROOT,
          "more %s: with eley.window.waves=auto windows grow into half of it, to last for phases"
              + " (%.0f of %.0f s)",
          options.memory(),
          use.phaseSeconds(),
          use.seconds());
    }
    if (use.totals().tasks() < 2L * use.totals().largestWave()) {
      return "smaller partitions: tasks of the first wave wait, and most ran in it";
    }
    return "more "
        + options.nodes()
        + ", which read side by side: the origin gave less than tasks asked for";
  }

  private static String ofHits(BufferUse use, SizeOptions options) {
    long wanted = Math.min(use.twoWavesBytes(), use.readBytes());
    long enough = perNode(use, wanted);
    boolean lastsForPhases = use.phaseSeconds() > MUCH * use.seconds();
    return wanted > 0
            && !lastsForPhases // by more than two waves, which nobody knows afterwards
            && use.capacityBytes() > GENEROUS * MIB * enough * use.nodes()
        ? options.of(enough, use.nodes()) + " would do"
        : "nothing to change";
  }

  /** What each node should hold, with a quarter to spare. */
  private static long perNode(BufferUse use, long bytes) {
    return Math.max(LEAST_MEBIBYTES, bytes / Math.max(1, use.nodes()) * 5 / 4 / MIB);
  }
}
