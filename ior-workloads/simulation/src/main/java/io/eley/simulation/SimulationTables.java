package io.eley.simulation;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.simulation.PaperExperiments.Application;
import io.eley.simulation.PaperExperiments.Load;
import io.eley.simulation.PaperExperiments.Setting;
import io.eley.simulation.Simulation.Outcome;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/** Runs simulated experiments and prints what came of them. */
public final class SimulationTables {
  private static final double GIB = 1L << 30;

  private SimulationTables() {}

  /** The paper's two experiments beside the paper's figures. */
  public static void printPaper(Setting setting, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "6 PFS servers of %.0f MB/s, a task's stream counts %.3f, %.0f s of other work an"
            + " iteration%n%n",
        setting.serverBytesPerSecond() / 1e6,
        setting.taskWeight(),
        setting.otherWorkSeconds());
    out.printf(
        Locale.ROOT,
        "%-15s %-10s %-10s %8s %9s %8s %11s %9s%n",
        "IOR",
        "workload",
        "mode",
        "map s",
        "of Naive",
        "IOR s",
        "alone +%",
        "phases");
    for (Load load : Load.values()) {
      for (Application application : Application.values()) {
        printRow(load, application, setting, out);
      }
    }
    out.printf(
        Locale.ROOT,
        "%nThe paper: 32 x 4 GB: NoAction 0.39 (Sort), 0.57 (WordCount) of NaiveBB; IOR up to +53"
            + " %% with%nNaiveBB, up to +42 %% with NoAction. 8 x 8 GB: IOR +21 %% (Sort), +17 %%"
            + " (WordCount) with NoAction,%nas alone with FullDelay, whose map phase is 0.70 of"
            + " NaiveBB's at best.%n");
    out.flush();
  }

  private static void printRow(
      Load load, Application application, Setting setting, PrintWriter out) {
    Map<BufferMode, Outcome> outcomes = new EnumMap<>(BufferMode.class);
    for (BufferMode mode : BufferMode.values()) {
      var scenario = PaperExperiments.scenario(load, application, mode, setting);
      // The first run of the Adaptive mode only learns: it protects what it does not know.
      var history =
          mode == BufferMode.ADAPTIVE ? new Simulation(scenario).run().entries() : NO_HISTORY;
      outcomes.put(mode, new Simulation(scenario, history).run());
    }
    double naive = Objects.requireNonNull(outcomes.get(BufferMode.NAIVE_BB)).lastMapSeconds();
    outcomes.forEach(
        (mode, o) -> {
          double alone = o.phaseSecondsAlone().get(0);
          OptionalDouble slower = o.slowdown();
          out.printf(
              Locale.ROOT,
              "%-15s %-10s %-10s %8.0f %9.2f %8s %11s %9d%n",
              load,
              application,
              mode.label(),
              o.lastMapSeconds(),
              o.lastMapSeconds() / naive,
              cell(slower, s -> alone * (1 + s)),
              cell(slower, s -> 100 * s),
              o.phases().get(0).size());
          o.breaches().forEach(b -> out.println("BREACH " + b));
        });
  }

  /** A number of phases, if any has ended. */
  private static String cell(OptionalDouble slower, DoubleUnaryOperator number) {
    return slower.isEmpty()
        ? "-"
        : String.format(Locale.ROOT, "%.0f", number.applyAsDouble(slower.getAsDouble()));
  }

  private static final List<PhaseEntry> NO_HISTORY = List.of();

  /** A large deployment: where the coordinator's time goes. */
  public static void printScale(int nodes, PrintWriter out) {
    long began = System.nanoTime();
    Outcome o = new Simulation(PaperExperiments.scale(nodes)).run();
    double seconds = (System.nanoTime() - began) / 1e9;
    double virtual = o.lastMapSeconds();
    double planning = o.plans() * o.planMicros() / 1e6;
    out.printf(
        Locale.ROOT,
        "%d nodes, %d tasks at once: %.1f s of cluster time, %d events, simulated in %.1f s%n",
        nodes,
        nodes * 16,
        virtual,
        o.steps(),
        seconds);
    out.printf(
        Locale.ROOT,
        "plans: %d, %.1f ms each on average here: %.1f %% of one core of the coordinator%n",
        o.plans(),
        o.planMicros() / 1e3,
        100 * planning / virtual);
    out.printf(
        Locale.ROOT,
        "bytes: prefetched %.1f GiB, demanded %.1f GiB, past the buffer %.1f GiB; breaches: %d%n",
        o.bytes().getOrDefault(ReadCause.PREFETCH, 0L) / GIB,
        o.bytes().getOrDefault(ReadCause.DEMAND, 0L) / GIB,
        o.bytes().getOrDefault(ReadCause.FALLBACK, 0L) / GIB,
        o.breaches().size());
    o.breaches().forEach(b -> out.println("BREACH " + b));
    out.flush();
  }

  /**
   * Random scenarios.
   *
   * @return whether every promise was kept
   */
  public static boolean scenarios(long seed, int count, PrintWriter out) {
    for (int i = 0; i < count; i++) {
      Outcome o = new Simulation(Scenario.random(seed + i)).run();
      if (!o.breaches().isEmpty()) {
        out.println("seed " + (seed + i) + ":");
        o.breaches().forEach(b -> out.println("  " + b));
        out.flush();
        return false;
      }
    }
    out.printf(Locale.ROOT, "%d scenarios from seed %d: every promise kept%n", count, seed);
    out.flush();
    return true;
  }
}
