package io.eley.coordinator;

import io.eley.api.ReadCause;
import io.eley.prefetch.control.PhaseEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/**
 * The ledger's file: CSV (RFC 4180) with a header, a line a phase, only ever appended to, so that
 * it survives restarts and can be read while it is written. A line that makes no sense, such as one
 * that was cut off by a crash, is skipped. Mode 0600.
 */
public final class LedgerFile {
  public static final String NAME = "ledger.csv";

  private static final String[] COLUMNS = {
    "application",
    "source",
    "began",
    "seconds",
    "alone_seconds",
    "alone_error",
    "nodes",
    "confirmed",
    "tasks_passed",
    "hold_millis",
    "prefetch_bytes",
    "demand_bytes",
    "read_ahead_bytes",
    "decision",
    "ending"
  };
  private static final List<ReadCause> CAUSES =
      List.of(ReadCause.PREFETCH, ReadCause.DEMAND, ReadCause.READ_AHEAD);
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setRecordSeparator("\n").get();

  private final Path file;

  /** The ledger of a deployment directory. */
  public LedgerFile(Path directory) {
    file = directory.resolve(NAME);
  }

  /** Appends an entry; makes the file with its header when it is not there. Blocks. */
  void append(PhaseEntry e) throws IOException {
    var text = new StringBuilder();
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      FORMAT.printRecord(text, (Object[]) COLUMNS);
    }
    FORMAT.printRecord(text, fields(e).toArray());
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  private static List<Object> fields(PhaseEntry e) {
    var fields =
        new ArrayList<Object>(
            List.of(
                e.application(),
                e.source(),
                e.began(),
                decimal(seconds(e.length())),
                e.alone().map(a -> decimal(seconds(a.length()))).orElse(""),
                e.alone().map(a -> decimal(a.error())).orElse(""),
                e.hold().nodes(),
                e.hold().confirmed(),
                e.hold().tasksPassed(),
                e.hold().latency().map(l -> decimal(1e3 * seconds(l))).orElse("")));
    CAUSES.forEach(cause -> fields.add(e.ourBytes().getOrDefault(cause, 0L)));
    fields.add(e.decision());
    fields.add(e.ending());
    return fields;
  }

  /** Entries as the file holds them, header first. */
  public static void print(List<PhaseEntry> entries, Appendable out) throws IOException {
    FORMAT.printRecord(out, (Object[]) COLUMNS);
    for (PhaseEntry entry : entries) {
      FORMAT.printRecord(out, fields(entry).toArray());
    }
  }

  /** All entries, the oldest first; none when there is no file. Blocks. */
  public List<PhaseEntry> read() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    var entries = new ArrayList<PhaseEntry>();
    for (String line : Files.readString(file, StandardCharsets.UTF_8).lines().toList()) {
      parse(line).ifPresent(entries::add);
    }
    return entries;
  }

  private static Optional<PhaseEntry> parse(String line) {
    try (var parser = FORMAT.parse(new java.io.StringReader(line))) {
      var records = parser.getRecords();
      return records.size() == 1 && records.get(0).size() == COLUMNS.length
          ? Optional.of(entry(records.get(0)))
          : Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // the header, or half a line
    }
  }

  private static PhaseEntry entry(CSVRecord r) {
    var bytes = new EnumMap<ReadCause, Long>(ReadCause.class);
    for (int i = 0; i < CAUSES.size(); i++) {
      long count = Long.parseLong(r.get(10 + i));
      if (count > 0) {
        bytes.put(CAUSES.get(i), count);
      }
    }
    Optional<PhaseEntry.Alone> alone =
        r.get(4).isEmpty()
            ? Optional.empty()
            : Optional.of(
                new PhaseEntry.Alone(duration(r.get(4), 1e9), Double.parseDouble(r.get(5))));
    Optional<Duration> latency =
        r.get(9).isEmpty() ? Optional.empty() : Optional.of(duration(r.get(9), 1e6));
    return new PhaseEntry(
        r.get(0),
        r.get(1),
        Instant.parse(r.get(2)),
        duration(r.get(3), 1e9),
        alone,
        new PhaseEntry.Hold(
            Integer.parseInt(r.get(6)),
            Integer.parseInt(r.get(7)),
            Boolean.parseBoolean(r.get(8)),
            latency),
        Map.copyOf(bytes),
        r.get(13),
        r.get(14));
  }

  private static Duration duration(String text, double nanos) {
    return Duration.ofNanos(Math.round(Double.parseDouble(text) * nanos));
  }

  private static double seconds(Duration d) {
    return d.toNanos() / 1e9;
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }
}
