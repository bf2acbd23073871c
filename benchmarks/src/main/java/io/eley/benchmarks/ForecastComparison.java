package io.eley.benchmarks;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.controller.predict.PhasePredictor;
import io.eley.controller.predict.PredictionOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Function;

/**
 * Compares forecasts with FTIO (Tarraf et al., "Capturing Periodic I/O Using Frequency Techniques",
 * IPDPS 2024) on the same byte series.
 *
 * <p>Usage: {@code ForecastComparison PYTHON SCRIPT}: a Python that has {@code ftio-hpc}, and
 * {@code ftio_periods.py}. Without FTIO its columns are left out, with the reason. FTIO tells a
 * period, so its next onset is taken as one period after the last begin.
 */
public final class ForecastComparison {
  private static final int SEEDS = 10;
  private static final double BYTES = 1e9;
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private ForecastComparison() {}

  /** A phase, in seconds. */
  private record Phase(double begin, double end) {}

  /** Phases up to a moment, and the begin of the next, which a forecast is compared with. */
  private record Series(String name, List<Phase> phases, double next) {
    double period() {
      return next - phases.get(phases.size() - 1).begin;
    }
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var cases = new java.util.LinkedHashMap<String, Function<Random, List<Phase>>>();
    for (int jitter : new int[] {0, 2, 5, 10}) {
      cases.put("sleeps 20 s, jitter " + jitter + " %", r -> sleeping(r, 0.01 * jitter, 20, 20));
    }
    cases.put("sleeps 20 s, then 40 s for 3", r -> sleeping(r, 0.02, 17, 40));
    cases.put("sleeps 20 s, then 10 s for 3", r -> sleeping(r, 0.02, 17, 10));
    cases.put("groups of 3, 5 and 20 s", ForecastComparison::groups);
    cases.put("each 30 s and each 47 s", ForecastComparison::interleaved);
    var all = new ArrayList<Series>();
    for (var each : cases.entrySet()) {
      for (int seed = 0; seed < SEEDS; seed++) {
        var phases = each.getValue().apply(new Random(seed));
        int last = phases.size() - 1;
        all.add(new Series(each.getKey(), phases.subList(0, last), phases.get(last).begin));
      }
    }
    Map<Integer, Double> ftio = ftio(arguments, all);
    OUT.println("| series | Eley: answers, error of the next onset | FTIO: answers, error |");
    OUT.println("|---|---|---|");
    for (String name : cases.keySet()) {
      var ours = new ArrayList<Double>();
      var theirs = new ArrayList<Double>();
      for (int i = 0; i < all.size(); i++) {
        Series series = all.get(i);
        if (series.name.equals(name)) {
          onset(series).ifPresent(at -> ours.add(Math.abs(at - series.next)));
          Double period = ftio.get(i);
          if (period != null) {
            theirs.add(Math.abs(period - series.period()));
          }
        }
      }
      OUT.printf("| %s | %s | %s |%n", name, text(ours), text(theirs));
    }
  }

  private static String text(List<Double> errors) {
    errors.sort(null);
    return errors.isEmpty()
        ? "0 of " + SEEDS
        : String.format(
            Locale.ROOT,
            "%d of %d, %.2f s (worst %.2f s)",
            errors.size(),
            SEEDS,
            errors.get(errors.size() / 2),
            errors.get(errors.size() - 1));
  }

  private static OptionalDouble onset(Series series) {
    var predictor = new PhasePredictor(PredictionOptions.DEFAULT);
    for (Phase each : series.phases) {
      var phase = new Evidence("ior", "counters", (long) (1e9 * each.begin), 1);
      predictor.advance(phase.since());
      predictor.expected(phase.since());
      predictor.opened(phase);
      predictor.advance((long) (1e9 * each.end));
      predictor.closed(phase, (long) (1e9 * each.end), Ending.QUIET);
    }
    return predictor.forecast("ior").stream().mapToDouble(f -> f.onset() / 1e9).findFirst();
  }

  /** The period FTIO finds in each series, by its number; empty where there is no FTIO. */
  private static Map<Integer, Double> ftio(String[] arguments, List<Series> all)
      throws IOException, InterruptedException {
    var periods = new HashMap<Integer, Double>();
    if (arguments.length < 2) {
      OUT.println("FTIO is left out: no Python that has ftio-hpc was named");
      return periods;
    }
    Path directory = Files.createTempDirectory("forecasts");
    for (int i = 0; i < all.size(); i++) {
      var lines = all.get(i).phases.stream().map(p -> p.begin + "," + p.end + "," + BYTES).toList();
      Files.write(directory.resolve(i + ".csv"), lines);
    }
    Path errors = directory.resolve("errors");
    var process =
        new ProcessBuilder(arguments[0], arguments[1], directory.toString())
            .redirectError(errors.toFile())
            .start();
    try (var lines = process.inputReader()) {
      lines
          .lines()
          .map(line -> line.split(" ", -1))
          .filter(words -> words.length == 3 && words[0].equals("ftio") && !words[2].equals("-"))
          .forEach(words -> periods.put(Integer.valueOf(words[1]), Double.valueOf(words[2])));
    }
    if (process.waitFor() != 0) {
      OUT.println("FTIO is left out: " + Files.readString(errors).strip());
    }
    return periods;
  }

  /** So many phases after pauses of 20 s, then three and the next after others. */
  private static List<Phase> sleeping(Random random, double jitter, int first, double then) {
    var phases = new ArrayList<Phase>();
    double at = 0;
    for (int i = 0; i < first + 4; i++) {
      double pause = i < first ? 20 : then;
      double begin = at + pause * (1 + jitter * (2 * random.nextDouble() - 1));
      at = begin + 10;
      phases.add(new Phase(begin, at));
    }
    return phases;
  }

  private static List<Phase> groups(Random random) {
    var phases = new ArrayList<Phase>();
    double[] pauses = {3, 5, 20};
    double at = 0;
    for (int i = 0; i < 25 + random.nextInt(3); i++) {
      double begin = at + pauses[i % 3] * (0.99 + 0.02 * random.nextDouble());
      at = begin + 1;
      phases.add(new Phase(begin, at));
    }
    return phases;
  }

  private static List<Phase> interleaved(Random random) {
    double second = 30 * random.nextDouble();
    var phases = new ArrayList<Phase>();
    for (int i = 0; i < 20; i++) {
      phases.add(new Phase(30 * i, 30 * i + 3));
      phases.add(new Phase(47 * i + second, 47 * i + second + 4));
    }
    phases.removeIf(p -> p.begin > 600);
    phases.sort(java.util.Comparator.comparingDouble(Phase::begin));
    var apart = new ArrayList<Phase>();
    for (Phase each : phases) {
      int last = apart.size() - 1;
      if (last >= 0 && each.begin <= apart.get(last).end) {
        apart.set(last, new Phase(apart.get(last).begin, Math.max(apart.get(last).end, each.end)));
      } else {
        apart.add(each);
      }
    }
    return apart;
  }
}
