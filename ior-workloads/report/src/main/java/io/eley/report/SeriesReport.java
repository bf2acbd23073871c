package io.eley.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What an experiment of several repetitions found: its {@code report.json}. It is written anew
 * after each run, so that one that is ended early has what there is. Immutable.
 *
 * @param formatVersion of this shape; since 2 it says how many runs were planned
 * @param createdAt ISO-8601, UTC
 * @param experiment its name
 * @param description one sentence
 * @param host the machine
 * @param configuration what was run, in the order to show it
 * @param planned how many runs there are when none has failed and the experiment was not cut short
 * @param runs that succeeded, in the order they were made
 * @param rows what follows from them
 * @param paper the paper's values beside ours
 * @param verdicts what was expected, what came out
 * @param failures one line for each run that failed
 */
public record SeriesReport(
    int formatVersion,
    String createdAt,
    String experiment,
    String description,
    Host host,
    Map<String, String> configuration,
    int planned,
    List<SeriesRun> runs,
    List<SeriesRow> rows,
    List<PaperValue> paper,
    List<Verdict> verdicts,
    List<String> failures) {
  /** The shape this class writes; it reads older ones as well. */
  public static final int FORMAT_VERSION = 2;

  public SeriesReport {
    configuration = new LinkedHashMap<>(configuration);
    runs = List.copyOf(runs);
    rows = List.copyOf(rows);
    paper = List.copyOf(paper);
    verdicts = List.copyOf(verdicts);
    failures = List.copyOf(failures);
  }

  /**
   * What an experiment is, whatever its runs show.
   *
   * @param planned how many runs it has
   * @param paper the paper's values beside those of these runs
   * @param expected the verdicts on these rows
   */
  public record Frame(
      String experiment,
      String description,
      Host host,
      Map<String, String> configuration,
      int planned,
      Function<List<SeriesRun>, List<PaperValue>> paper,
      Function<List<SeriesRow>, List<Verdict>> expected) {}

  /** The report that follows from these runs. */
  public static SeriesReport of(
      String createdAt, Frame frame, List<SeriesRun> runs, List<String> failures) {
    var rows = SeriesRow.of(runs);
    return new SeriesReport(
        FORMAT_VERSION,
        createdAt,
        frame.experiment(),
        frame.description(),
        frame.host(),
        frame.configuration(),
        frame.planned(),
        runs,
        rows,
        frame.paper().apply(runs),
        frame.expected().apply(rows),
        failures);
  }

  /** Whether a report.json is one of a series, and not of the demo. */
  static boolean recognises(String json) throws IOException {
    return ReportJson.has(json, "experiment");
  }

  /**
   * Reads a report; fields it does not know are skipped.
   *
   * @throws IOException naming the place, when it is not a report, or of a newer shape than {@link
   *     #FORMAT_VERSION}, which this class would misunderstand
   */
  public static SeriesReport fromJson(String json) throws IOException {
    var report = ReportJson.read(json, SeriesReport.class);
    ReportJson.requireKnown(report.formatVersion(), FORMAT_VERSION);
    return report;
  }

  /** The report as JSON. */
  public String toJson() {
    return ReportJson.text(this);
  }

  /**
   * Writes {@code report.json}, {@code report.html} and {@code figures/*.svg}; a reader sees the
   * old report or the whole new one.
   */
  public void write(Path directory) throws IOException {
    ReportJson.write(this, directory.resolve("report.json"));
    SeriesFigures.write(this, Files.createDirectories(directory.resolve("figures")));
    SeriesPage.write(this, directory.resolve("report.html"));
  }
}
