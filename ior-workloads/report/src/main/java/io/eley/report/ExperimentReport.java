package io.eley.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * Everything an experiment found: the content of {@code report.json}. Immutable.
 *
 * @param formatVersion of this shape; grows when a field changes its meaning
 * @param createdAt ISO-8601, UTC
 * @param host the machine
 * @param parameters what was run
 * @param runs one per mode and workload, in the order they were made
 * @param verdicts what was expected, what came out
 */
public record ExperimentReport(
    int formatVersion,
    String createdAt,
    Host host,
    Parameters parameters,
    List<RunRecord> runs,
    List<Verdict> verdicts) {
  /** The shape this class writes. */
  public static final int FORMAT_VERSION = 1;

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  public ExperimentReport {
    runs = List.copyOf(runs);
    verdicts = List.copyOf(verdicts);
  }

  /** A report with the verdicts that follow from its runs. */
  public static ExperimentReport of(
      String createdAt, Host host, Parameters parameters, List<RunRecord> runs) {
    return new ExperimentReport(
        FORMAT_VERSION, createdAt, host, parameters, runs, Expectations.judge(runs, parameters));
  }

  /** The workloads in the order they were run first. */
  public List<String> workloads() {
    return runs.stream().map(RunRecord::workload).distinct().toList();
  }

  /** The run of a mode and workload. */
  public Optional<RunRecord> run(String mode, String workload) {
    return find(runs, mode, workload);
  }

  static Optional<RunRecord> find(List<RunRecord> runs, String mode, String workload) {
    return runs.stream()
        .filter(r -> r.mode().equals(mode) && r.workload().equals(workload))
        .findFirst();
  }

  /** The report as JSON. */
  public String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a report that cannot be written as JSON", e);
    }
  }

  /**
   * Reads a report; fields it does not know are skipped.
   *
   * @throws IOException naming the place, when it is not a report
   */
  public static ExperimentReport fromJson(String json) throws IOException {
    return JSON.readValue(json, ExperimentReport.class);
  }

  /** Writes {@code report.json}; a reader sees the old file or the whole new one. */
  public void write(Path file) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, toJson() + "\n");
    Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
