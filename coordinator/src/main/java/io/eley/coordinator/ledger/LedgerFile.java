package io.eley.coordinator.ledger;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.edge.PlainText;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/**
 * The ledger's file: CSV (RFC 4180) with a header, a line a phase, only ever appended to, so that
 * it survives restarts and can be read while it is written. A line that makes no sense, such as one
 * that was cut off by a crash, is skipped. Mode 0600.
 *
 * <p>It grows for as long as its deployment is used, so whoever must live with what has come
 * together, as the coordinator that starts, reads its end alone ({@link #readLast}).
 */
public final class LedgerFile {
  private static final String[] COLUMNS = {
    "application",
    "source",
    "began",
    "seconds",
    "predicted_begin",
    "predicted_seconds",
    "closed_before",
    "foreign_bytes_per_second",
    "alone_seconds",
    "alone_error",
    "nodes",
    "confirmed",
    "tasks_passed",
    "hold_millis",
    "under_way_bytes",
    "under_way_most_bytes",
    "prefetch_bytes",
    "demand_bytes",
    "read_ahead_bytes",
    "fallback_bytes",
    "direct_bytes",
    "write_bytes",
    "metadata_calls",
    "operator",
    "decision",
    "ending",
    "resolution_seconds",
    "corrections"
  };
  private static final List<ReadCause> CAUSES =
      List.of(
          ReadCause.PREFETCH,
          ReadCause.DEMAND,
          ReadCause.READ_AHEAD,
          ReadCause.FALLBACK,
          ReadCause.DIRECT,
          ReadCause.WRITE);
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setRecordSeparator("\n").get();

  /** What begins a formula in a spreadsheet, and the mark that says that something does not. */
  private static final String QUOTE = "'";

  private static final String FORMULA = "=+-@" + QUOTE;

  private static final Set<OpenOption> FOR_APPENDING =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS);
  private static final FileAttribute<?> OWN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;

  /** The ledger of a deployment directory. */
  public LedgerFile(Path directory) {
    file = new DeploymentFiles(directory).ledger();
  }

  /** A ledger under another name, such as one that was kept of a job. */
  public LedgerFile(Path directory, String name) {
    file = directory.resolve(name);
  }

  /** The file's path. */
  Path path() {
    return file;
  }

  /**
   * Appends an entry; makes the file with its header when it is not there. Blocks.
   *
   * @throws IOException when it cannot be written; the file has nothing of the entry then, or half
   *     a line where it could not even be cut
   */
  void append(PhaseEntry e) throws IOException {
    setAside();
    try (var channel = FileChannel.open(file, FOR_APPENDING, OWN)) {
      var text = new StringBuilder();
      long before = channel.size();
      if (before == 0) {
        FORMAT.printRecord(text, (Object[]) COLUMNS);
      } else if (cutOff(channel)) {
        text.append('\n'); // else this entry would be lost with the line that a crash has cut off
      }
      FORMAT.printRecord(text, fields(e).toArray());
      try {
        write(channel.position(before), text.toString());
      } catch (IOException refused) {
        channel.truncate(before); // a full disk may have taken its first bytes
        throw refused;
      }
    }
  }

  private static void write(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
    while (bytes.hasRemaining()) {
      int unused = channel.write(bytes);
    }
  }

  private static boolean cutOff(FileChannel channel) throws IOException {
    var last = ByteBuffer.allocate(1);
    return channel.read(last, channel.size() - 1) == 1 && last.get(0) != '\n';
  }

  /** Renames a ledger of another version, with other columns, so that it is kept. */
  private void setAside() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (var lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String first = lines.readLine();
      // One without a line is of a disk that was full before its header.
      if (first == null || first.equals(String.join(",", COLUMNS))) {
        return;
      }
    }
    Files.move(file, file.resolveSibling("ledger-" + Instant.now().toEpochMilli() + ".csv"));
  }

  private static List<Object> fields(PhaseEntry e) {
    var fields =
        new ArrayList<Object>(
            List.of(
                text(e.application()),
                text(e.source()),
                e.began(),
                decimal(seconds(e.length())),
                e.predicted().map(p -> p.begin().toString()).orElse(""),
                e.predicted().map(p -> decimal(seconds(p.length()))).orElse(""),
                e.predicted().map(p -> Boolean.toString(p.closedBefore())).orElse(""),
                e.foreignBytesPerSecond().map(LedgerFile::decimal).orElse(""),
                e.alone().map(a -> decimal(seconds(a.length()))).orElse(""),
                e.alone().map(a -> decimal(a.error())).orElse(""),
                e.hold().nodes(),
                e.hold().confirmed(),
                e.hold().tasksPassed(),
                e.hold().latency().map(l -> decimal(1e3 * seconds(l))).orElse("")));
    fields.add(e.hold().underWay().bytes());
    fields.add(e.hold().underWay().mostBytes());
    CAUSES.forEach(cause -> fields.add(e.ourBytes().getOrDefault(cause, 0L)));
    fields.add(e.metadataCalls());
    fields.add(text(e.operator()));
    fields.add(text(e.decision()));
    fields.add(text(e.ending()));
    fields.add(decimal(seconds(e.observed().resolution())));
    fields.add(text(e.observed().corrections()));
    return fields;
  }

  /**
   * A text as a field: plain, and with a quotation mark in front when a spreadsheet would take it
   * for a formula, or when it begins with such a mark itself.
   */
  private static String text(String text) {
    String plain = PlainText.escape(text);
    return plain.isEmpty() || FORMULA.indexOf(plain.charAt(0)) < 0 ? plain : QUOTE + plain;
  }

  /** Entries as the file holds them, header first. */
  public static void print(List<PhaseEntry> entries, Appendable out) throws IOException {
    FORMAT.printRecord(out, (Object[]) COLUMNS);
    for (PhaseEntry entry : entries) {
      FORMAT.printRecord(out, fields(entry).toArray());
    }
  }

  /**
   * All entries, the oldest first; none when there is no file. Blocks.
   *
   * @throws IOException when it cannot be read, or somebody else could have written it
   */
  public List<PhaseEntry> read() throws IOException {
    return readLast(Long.MAX_VALUE);
  }

  /**
   * The entries in the last bytes of the file, the oldest first; none when there is no file. Reads
   * no other bytes, and holds one line at a time besides the entries. Blocks.
   *
   * @param most bytes; a line that begins before them is left out
   * @throws IOException when it cannot be read, or somebody else could have written it
   */
  List<PhaseEntry> readLast(long most) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    OwnPaths.requireFile(file);
    var entries = new ArrayList<PhaseEntry>();
    try (var channel = channel()) {
      long before = Math.max(0, channel.size() - most);
      channel.position(Math.max(0, before - 1));
      var reader =
          new BufferedReader(
              new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
      if (before > 0) {
        reader.readLine(); // what ends with the byte before them, or is cut by their beginning
      }
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        parse(line).ifPresent(entries::add);
      }
    }
    return entries;
  }

  /** Opened without following a link, though none can appear in a directory that was checked. */
  private SeekableByteChannel channel() throws IOException {
    return Files.newByteChannel(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
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

  private static PhaseEntry entry(CSVRecord line) {
    var r = new Row(line);
    var bytes = new EnumMap<ReadCause, Long>(ReadCause.class);
    for (ReadCause cause : CAUSES) {
      long count = Long.parseLong(r.text(cause.name().toLowerCase(Locale.ROOT) + "_bytes"));
      if (count > 0) {
        bytes.put(cause, count);
      }
    }
    return new PhaseEntry(
        r.text("application"),
        r.text("source"),
        Instant.parse(r.text("began")),
        r.seconds("seconds"),
        r.when("predicted_begin")
            .map(
                begin ->
                    new PhaseEntry.Predicted(
                        Instant.parse(begin),
                        r.seconds("predicted_seconds"),
                        Boolean.parseBoolean(r.text("closed_before")))),
        r.when("alone_seconds")
            .map(
                s ->
                    new PhaseEntry.Alone(
                        r.seconds("alone_seconds"), Double.parseDouble(r.text("alone_error")))),
        r.when("foreign_bytes_per_second").map(Double::parseDouble),
        new PhaseEntry.Hold(
            Integer.parseInt(r.text("nodes")),
            Integer.parseInt(r.text("confirmed")),
            Boolean.parseBoolean(r.text("tasks_passed")),
            r.when("hold_millis").map(text -> duration(text, 1e6)),
            new UnderWay(
                Long.parseLong(r.text("under_way_bytes")),
                Long.parseLong(r.text("under_way_most_bytes")))),
        Map.copyOf(bytes),
        Long.parseLong(r.text("metadata_calls")),
        r.text("operator"),
        r.text("decision"),
        new PhaseEntry.Observed(
            r.text("ending"), r.seconds("resolution_seconds"), r.text("corrections")));
  }

  /** A line by its columns' names. */
  private record Row(CSVRecord line) {
    String text(String column) {
      String field = line.get(List.of(COLUMNS).indexOf(column));
      return PlainText.escape(field.startsWith(QUOTE) ? field.substring(1) : field);
    }

    Optional<String> when(String column) {
      return Optional.of(text(column)).filter(t -> !t.isEmpty());
    }

    Duration seconds(String column) {
      return duration(text(column), 1e9);
    }
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
