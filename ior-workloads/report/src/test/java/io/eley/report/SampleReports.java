package io.eley.report;

import io.eley.bb.api.BufferMode;
import io.eley.emulated.pfs.PfsEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Made-up experiments whose numbers are plausible, always the same ones. */
final class SampleReports {
  static final long ZERO = 1_795_000_000_000_000L;
  static final double ALONE = 2.5;
  static final long MIB = 1 << 20;

  private SampleReports() {}

  static Host host() {
    return new Host(2, "Sample CPU @ 2.6 GHz", 24L << 30, "Linux 6.1.0", "OpenJDK 17.0.13", null);
  }

  static Parameters parameters() {
    return new Parameters(
        "random text",
        640 * MIB,
        32 * MIB,
        2,
        10,
        2,
        256 * MIB,
        16 * MIB,
        MIB,
        2,
        64 * MIB,
        32 * MIB,
        500,
        "measured: as fast as two tasks of WordCount compute",
        "-a POSIX -w -F -e -b 80m -t 1m -d 4 -i 100",
        2,
        160 * MIB,
        4,
        "4.2.0",
        42);
  }

  /** Both workloads in all modes; FullDelay keeps its promises. */
  static ExperimentReport report() {
    var runs = new ArrayList<RunRecord>();
    for (var workload : List.of("WordCount", "Sort")) {
      double faster = workload.equals("Sort") ? 0.8 : 1;
      runs.add(run(RunRecord.HPC_ALONE, workload, 0, 2.5, 0));
      runs.add(run(BufferMode.NAIVE_BB.label(), workload, 33.2 * faster, 3.6, 0));
      runs.add(run(BufferMode.NO_ACTION.label(), workload, 18.4 * faster, 3.3, 0.93));
      runs.add(run(BufferMode.FULL_DELAY.label(), workload, 24.1 * faster, 2.54, 0.88));
    }
    return ExperimentReport.of("2026-11-20T12:00:00Z", host(), parameters(), runs);
  }

  /** WordCount three times, FullDelay's middle one the third. */
  static ExperimentReport repeated() {
    var runs = new ArrayList<RunRecord>();
    double[] speeds = {1.06, 0.97, 1};
    for (int i = 0; i < speeds.length; i++) {
      double speed = speeds[i];
      for (var run :
          List.of(
              run(RunRecord.HPC_ALONE, "WordCount", 0, 2.5, 0),
              run(BufferMode.NAIVE_BB.label(), "WordCount", 33.2 * speed, 3.6, 0),
              run(BufferMode.NO_ACTION.label(), "WordCount", 18.4 * speed, 3.3 * speed, 0.93),
              run(BufferMode.FULL_DELAY.label(), "WordCount", 24.1 * speed, 2.54, 0.88))) {
        runs.add(run.withRepetition(i + 1));
      }
    }
    return ExperimentReport.of("2026-11-20T12:00:00Z", host(), parameters(), runs);
  }

  static RunRecord run(
      String mode, String workload, double mapSeconds, double phaseSeconds, double hits) {
    var random = new Random(mode.hashCode() + workload.hashCode());
    double seconds = mapSeconds == 0 ? 21 : mapSeconds + 5;
    var phases = new ArrayList<ObservedPhase>();
    for (double at = 5.5; at + phaseSeconds < seconds; at += phaseSeconds + 4) {
      double length = phaseSeconds * (0.985 + 0.03 * random.nextDouble());
      phases.add(phase(at, at + 0.012, at + length));
    }
    var spark =
        mapSeconds == 0
            ? null
            : new RunObservation.SparkFacts(
                new RunTimeline.Span(1, 1 + mapSeconds),
                mapSeconds + 3,
                640 * MIB,
                hits,
                "digest-" + workload,
                tasks(mapSeconds, random),
                2);
    boolean holds = mode.equals(BufferMode.FULL_DELAY.label());
    return new RunObservation(
            mode,
            workload,
            new TraceAnalysis(events(mode, phases, mapSeconds, seconds), SampleReports::isHpc),
            phases,
            ZERO,
            ZERO + (long) (seconds * 1e6),
            spark,
            holds ? closed(phases) : List.of())
        .toRecord(ALONE);
  }

  static boolean isHpc(PfsEvent event) {
    return event.cause().equals("HPC");
  }

  static ObservedPhase phase(double begin, double closed, double end) {
    return new ObservedPhase(micros(begin), micros(closed), micros(end));
  }

  static PfsEvent read(double at, String cause, int bytes) {
    return new PfsEvent(micros(at), "node-1", cause, "READ", bytes);
  }

  static long micros(double seconds) {
    return ZERO + Math.round(seconds * 1e6);
  }

  private static List<RunTimeline.Span> closed(List<ObservedPhase> phases) {
    return phases.stream()
        .map(
            p ->
                new RunTimeline.Span(
                    p.closedMicros() / 1e6 - ZERO / 1e6, (p.endMicros() - ZERO) / 1e6))
        .toList();
  }

  private static List<RunTimeline.Task> tasks(double mapSeconds, Random random) {
    var tasks = new ArrayList<RunTimeline.Task>();
    for (int worker = 0; worker < 2; worker++) {
      double at = 1;
      for (int wave = 0; wave < 10; wave++) {
        double end =
            wave == 9 ? 1 + mapSeconds : at + mapSeconds / 10 * (0.9 + 0.2 * random.nextDouble());
        tasks.add(new RunTimeline.Task(at, end, 0, "127.0.0." + (2 + worker)));
        at = end;
      }
    }
    return tasks;
  }

  private static List<PfsEvent> events(
      String mode, List<ObservedPhase> phases, double mapSeconds, double seconds) {
    var events = new ArrayList<PfsEvent>();
    boolean naive = mode.equals(BufferMode.NAIVE_BB.label());
    boolean holds = mode.equals(BufferMode.FULL_DELAY.label());
    for (double at = 0.02; at < seconds; at += 1 / 64.0) {
      long now = micros(at);
      var phase =
          phases.stream().filter(p -> now > p.closedMicros() && now < p.endMicros()).findFirst();
      boolean maps = at > 1 && at < 1 + mapSeconds;
      if (phase.isPresent() && (holds || !maps || (int) (at * 64) % 3 != 0)) {
        events.add(new PfsEvent(now, "ior-0", "HPC", "WRITE", (int) MIB));
      } else if (maps && (!naive || Math.sin(at * 4) > -0.3) && (naive || at < mapSeconds * 0.95)) {
        String cause = naive ? "DIRECT" : at < 2.2 ? "DEMAND" : "PREFETCH";
        events.add(new PfsEvent(now, "node-1", cause, "READ", (int) MIB));
      }
    }
    return events;
  }
}
