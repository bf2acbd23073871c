package io.eley.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The pictures of a series. */
final class SeriesFigures {
  private SeriesFigures() {}

  /** Writes each into a file of its own. */
  static void write(SeriesReport report, Path directory) throws IOException {
    for (var figure : bars(report).entrySet()) {
      Files.writeString(directory.resolve(figure.getKey() + ".svg"), figure.getValue().svg());
    }
    for (var run : report.runs()) {
      String name = Path.of(run.directory()).getFileName() + ".svg";
      Files.writeString(directory.resolve(name), TimelineFigure.svg(run));
    }
  }

  /** Both sides, by the names of their files. */
  static Map<String, BarFigure> bars(SeriesReport report) {
    var figures = new LinkedHashMap<String, BarFigure>();
    figures.put("map-time", figure(report, "Map phase of Spark, s", SeriesFigures::mapTime));
    figures.put(
        "hpc-phases",
        figure(report, "HPC phases in the map phase, % longer than alone", SeriesRun::slowdowns));
    figures.put(
        "held-after",
        figure(
            report,
            "From a phase's begin to a closed permit, ms",
            run ->
                run.record().mode().startsWith("FullDelay") ? run.heldAfterMillis() : List.of()));
    figures.values().removeIf(figure -> figure.bars().isEmpty());
    return figures;
  }

  private static List<Double> mapTime(SeriesRun run) {
    Double seconds = run.record().mapSeconds();
    return seconds == null ? List.of() : List.of(seconds);
  }

  private static BarFigure figure(
      SeriesReport report, String title, Function<SeriesRun, List<Double>> values) {
    var bars = new ArrayList<BarFigure.Bar>();
    for (var row : report.rows()) {
      var found =
          report.runs().stream()
              .filter(r -> r.record().workload().equals(row.workload()))
              .filter(r -> r.record().mode().equals(row.system()))
              .flatMap(r -> values.apply(r).stream())
              .toList();
      if (!found.isEmpty()) {
        bars.add(
            new BarFigure.Bar(
                row.workload() + " " + row.system(), Colours.of(row.system()), found));
      }
    }
    return new BarFigure(title, bars);
  }
}
