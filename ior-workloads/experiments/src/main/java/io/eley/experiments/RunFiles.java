package io.eley.experiments;

import io.eley.report.LedgerPhase;
import io.eley.report.RunRecord;
import io.eley.report.RunTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The raw data of one run: CSV for each task, each phase and each second. IOR's outputs, the ledger
 * and logs are there already.
 */
final class RunFiles {
  private static final Logger LOG = LoggerFactory.getLogger(RunFiles.class);

  private RunFiles() {}

  static void write(RunRecord record, Path directory) throws IOException {
    try (var tasks = csv(directory.resolve("tasks.csv"), "start_s", "end_s", "wave", "host")) {
      for (var t : record.timeline().tasks()) {
        tasks.printRecord(t.start(), t.end(), t.wave(), t.host());
      }
    }
    try (var phases =
        csv(
            directory.resolve("phases.csv"),
            "application",
            "start_s",
            "seconds",
            "alone_s",
            "during_map",
            "our_bytes")) {
      for (var p : record.phases()) {
        phases.printRecord(
            p.application(),
            p.startSeconds(),
            p.seconds(),
            p.aloneSeconds(),
            p.duringMap(),
            p.ourBytes());
      }
    }
    writeSeconds(record, directory.resolve("seconds.csv"));
  }

  /** What was read, by cause, what was written, and whether a permit was closed. */
  private static void writeSeconds(RunRecord record, Path file) throws IOException {
    var timeline = record.timeline();
    var causes = List.copyOf(timeline.ours().keySet());
    var columns = new ArrayList<>(List.of("second", "hpc_bytes", "held_s"));
    causes.forEach(cause -> columns.add(cause.toLowerCase(Locale.ROOT) + "_bytes"));
    try (var seconds = csv(file, columns.toArray(String[]::new))) {
      for (int second = 0; second < timeline.seconds(); second++) {
        var span = new RunTimeline.Span(second, second + 1.0);
        var row = new ArrayList<Object>();
        row.add(second);
        row.add(inSecond(timeline.hpc(), second, timeline.binSeconds()));
        row.add(timeline.closedPermits().stream().mapToDouble(c -> c.overlap(span)).sum());
        for (var cause : causes) {
          row.add(
              inSecond(
                  timeline.ours().getOrDefault(cause, List.of()), second, timeline.binSeconds()));
        }
        seconds.printRecord(row);
      }
    }
  }

  private static long inSecond(List<Long> bins, int second, double width) {
    int from = (int) Math.round(second / width);
    int to = (int) Math.round((second + 1) / width);
    return bins.subList(Math.min(from, bins.size()), Math.min(to, bins.size())).stream()
        .mapToLong(b -> b)
        .sum();
  }

  /** The phases of the ledger that was kept there, in seconds since the run's zero. */
  static List<LedgerPhase> ledger(Path directory, long zeroEpochMillis) {
    Path file = directory.resolve("ledger.csv");
    if (!Files.exists(file)) {
      return List.of();
    }
    var format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    var phases = new ArrayList<LedgerPhase>();
    try (var rows = format.parse(Files.newBufferedReader(file))) {
      for (var row : rows) {
        long began = Instant.parse(row.get("began")).toEpochMilli();
        phases.add(
            new LedgerPhase(
                row.get("application"),
                row.get("source"),
                (began - zeroEpochMillis) / 1e3,
                Double.parseDouble(row.get("seconds")),
                row.get("ending")));
      }
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      LOG.warn("the ledger in {} is not read: {}", file, e.toString());
    }
    return phases;
  }

  private static CSVPrinter csv(Path file, String... columns) throws IOException {
    var format = CSVFormat.RFC4180.builder().setRecordSeparator("\n").setHeader(columns).get();
    return new CSVPrinter(Files.newBufferedWriter(file), format);
  }
}
