package io.eley.coordinator.live;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.Control;
import io.eley.bb.api.wire.DeploymentReport.ForecastReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.DeploymentReport.PhaseReport;
import io.eley.bb.api.wire.DeploymentReport.SourceReport;
import io.eley.bb.api.wire.DeploymentReport.Totals;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.coordinator.drivers.ReadTotals;
import io.eley.coordinator.live.LiveDocument.Point;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * A deployment in the middle of its work: climate writes for 12 s of each 60 s, prefetching stands
 * aside, and two or more Spark applications read.
 */
final class SampleFacts {
  static final long GIB = 1L << 30;
  private static final double MB = 1e6;
  private static final int PERIOD = 60;
  private static final int LENGTH = 12;

  private SampleFacts() {}

  /** The facts at a moment, of so many nodes and Spark applications. */
  static LiveFacts at(long now, int nodes, int applications) {
    return of(now, report(now, nodes, applications), applications);
  }

  /** Two nodes and an application, where these are the sources. */
  static LiveFacts at(long now, List<SourceReport> sources) {
    return of(now, report(now, 2, 1, sources), 1);
  }

  private static LiveFacts of(long now, DeploymentReport report, int applications) {
    return new LiveFacts(
        now,
        report,
        now / 1000 % PERIOD < LENGTH,
        points(now),
        400 * MB,
        past(now),
        history(now).figures(),
        reads(applications),
        OptionalDouble.of(22));
  }

  static DeploymentReport report(long now, int nodes, int applications) {
    return report(
        now,
        nodes,
        applications,
        List.of(
            new SourceReport("announced", "fresh", 0, ""),
            new SourceReport("slurm", "fresh", 120, ""),
            new SourceReport("counters", "fresh", 300, "")));
  }

  private static DeploymentReport report(
      long now, int nodes, int applications, List<SourceReport> sources) {
    int second = (int) (now / 1000 % PERIOD);
    boolean open = second < LENGTH;
    return new DeploymentReport(
        BufferMode.FULL_DELAY,
        "/mnt/pfs/project",
        7,
        5_400_000,
        open ? "full delay for climate" : "nothing is in a phase",
        open
            ? List.of(new PhaseReport("climate", "announced+slurm", 100, now % (PERIOD * 1000)))
            : List.of(),
        new Control(
            "full-delay",
            sources,
            List.of(
                new ForecastReport(
                    "climate", 1000L * (PERIOD - second) - now % 1000, 1000L * LENGTH, 92),
                new ForecastReport("lammps", 21_000, 4000, 61)),
            List.of()),
        nodes(nodes, open),
        applications(applications),
        new Totals(applications + 1, 64, 4_180, 312_000, 3 * GIB)
            .withServed(
                sum(nodes(nodes, open), NodeCounters::servedBytes),
                sum(nodes(nodes, open), NodeCounters::hitBytes)));
  }

  private static long sum(List<NodeReport> nodes, ToLongFunction<NodeCounters> figure) {
    return nodes.stream().map(NodeReport::counters).mapToLong(figure).sum();
  }

  private static List<NodeReport> nodes(int count, boolean held) {
    var nodes = new ArrayList<NodeReport>();
    for (int i = 0; i < count; i++) {
      long served = (90 + 7L * i) * GIB;
      var counters =
          new NodeCounters(
              16 * GIB,
              (9 + i % 6) * GIB,
              600,
              served,
              served / 100 * (88 + i % 9),
              Map.of(ReadCause.PREFETCH, served, ReadCause.DEMAND, 4 * GIB),
              100,
              held ? 40 + i : i % 3,
              1,
              !held,
              0);
      nodes.add(new NodeReport("cn" + (101 + i), "10.1.4." + (11 + i), 40001, 210, counters));
    }
    return nodes;
  }

  private static final List<String> NAMES =
      List.of("join", "features", "etl-2026-11", "train-set", "report");

  private static List<ApplicationReport> applications(int count) {
    var all = new ArrayList<ApplicationReport>();
    for (int i = 0; i < count; i++) {
      long window = (6 + 3L * (i % 4)) * GIB;
      long inRam = i == 0 ? window * 62 / 100 : window;
      all.add(
          new ApplicationReport(
              "app-20261123-" + (1000 + i),
              NAMES.get(i % NAMES.size()),
              64,
              window,
              inRam,
              1200,
              480 + i,
              0));
    }
    return all;
  }

  private static Map<String, ReadTotals> reads(int applications) {
    var reads = new HashMap<String, ReadTotals>();
    for (int i = 0; i < applications; i++) {
      reads.put(
          "app-20261123-" + (1000 + i),
          new ReadTotals(480 + i, (60L + i) * GIB, (i == 0 ? 190 : 40) * 1_000_000_000L));
    }
    return reads;
  }

  private static List<Point> points(long now) {
    var points = new ArrayList<Point>();
    for (int i = TrafficRing.POINTS - 1; i >= 0; i--) {
      long at = now / 1000 * 1000 - 1000L * i;
      int second = (int) (at / 1000 % PERIOD);
      boolean open = second < LENGTH;
      double wave = 1 + 0.12 * Math.sin(at / 7000.0) + 0.05 * Math.sin(at / 1300.0);
      double others = open ? 330 * wave : 12 * wave;
      double ours = open ? 0 : second < 40 ? 260 * wave : 40 * wave;
      points.add(new Point(at, Math.round(ours * MB), Math.round(others * MB), open));
    }
    return points;
  }

  private static List<PhaseEntry> past(long now) {
    return history(now).last();
  }

  private static PhaseHistory history(long now) {
    var history = new PhaseHistory();
    long open = now / (PERIOD * 1000) * (PERIOD * 1000);
    history.add(entry("lammps", open - 400_000, 4.1, Optional.empty(), false));
    int newest = now - open < 1000 * LENGTH ? 1 : 0;
    for (int i = 29 + newest; i >= newest; i--) {
      history.add(entry("climate", open - 60_000L * i, 12, Optional.of(11.9), i < 26 + newest));
    }
    return history;
  }

  /** A phase of which everything is known. */
  static PhaseEntry entry(
      String application, long began, double seconds, Optional<Double> alone, boolean foreseen) {
    return new PhaseEntry(
        application,
        "announced",
        Instant.ofEpochMilli(began),
        Duration.ofMillis((long) (1000 * seconds)),
        foreseen
            ? Optional.of(
                new PhaseEntry.Predicted(
                    Instant.ofEpochMilli(began + 40), Duration.ofSeconds(12), true))
            : Optional.empty(),
        alone.map(a -> new PhaseEntry.Alone(Duration.ofMillis((long) (1000 * a)), 0.012)),
        Optional.of(330e6),
        new PhaseEntry.Hold(2, 2, false, Optional.of(Duration.ofMillis(3))),
        Map.of(ReadCause.PREFETCH, 1L << 20),
        0,
        "full-delay",
        "full delay for " + application,
        PhaseEntry.Observed.exactly("ANNOUNCED"));
  }
}
