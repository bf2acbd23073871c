package io.eley.ior;

import io.eley.ior.IorResult.Details;
import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.RankTime;
import io.eley.ior.IorResult.Settings;
import io.eley.ior.IorResult.Times;
import io.eley.ior.IorResult.Transfer;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/** IOR's three CSV files: phases, phases per rank, and the operations of one rank. */
final class CsvInput {
  private static final String PHASES = "access,bw(MiB/s),";
  private static final String RANKS = "access,rank,runtime-with-openclose,";
  private static final String TRANSFERS = "time,runtime,tp";

  private CsvInput() {}

  /** Whether this is one of them. */
  static boolean recognises(String text) {
    return text.startsWith(PHASES) || text.startsWith(RANKS) || text.startsWith(TRANSFERS);
  }

  static IorResult read(String text) throws IOException {
    if (!text.endsWith("\n")) {
      throw new IOException("the output of IOR is cut off: its last line has no end");
    }
    if (text.startsWith(RANKS)) {
      return details(new Details(List.of(), List.of(), ranks(text), List.of()));
    }
    if (text.startsWith(TRANSFERS)) {
      return details(
          new Details(List.of(), List.of(), List.of(), records(text, CsvInput::transfer)));
    }
    return new IorResult(
        records(text, CsvInput::phase), List.of(), List.of(), Settings.NONE, Details.NONE);
  }

  private static IorResult details(Details details) {
    return new IorResult(List.of(), List.of(), List.of(), Settings.NONE, details);
  }

  private static Phase phase(CSVRecord r) {
    return new Phase(
        r.get("access"),
        number(r, "bw(MiB/s)"),
        number(r, "IOPS"),
        number(r, "Latency"),
        number(r, "block(KiB)"),
        number(r, "xfer(KiB)"),
        new Times(
            number(r, "open(s)"),
            number(r, "wr/rd(s)"),
            number(r, "close(s)"),
            number(r, "total(s)")),
        Integer.parseInt(r.get("iter")));
  }

  /** It has no iteration: a rank's second line of an operation is its second iteration. */
  private static List<RankTime> ranks(String text) throws IOException {
    Map<String, Integer> seen = new HashMap<>();
    return records(
        text,
        r -> {
          String operation = r.get("access");
          int rank = Integer.parseInt(r.get("rank"));
          return new RankTime(
              operation,
              rank,
              number(r, "runtime-with-openclose"),
              number(r, "runtime"),
              seen.merge(operation + rank, 1, Integer::sum) - 1);
        });
  }

  private static Transfer transfer(CSVRecord r) {
    return new Transfer(number(r, "time"), number(r, "runtime"), number(r, "tp"));
  }

  private static <T> List<T> records(String text, Function<CSVRecord, T> reader)
      throws IOException {
    var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    var all = new ArrayList<T>();
    try (var records = format.parse(new StringReader(text))) {
      for (CSVRecord r : records) {
        all.add(reader.apply(r));
      }
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new IOException("malformed CSV of IOR: " + e.getMessage(), e);
    }
    return all;
  }

  private static double number(CSVRecord r, String column) {
    return Double.parseDouble(r.get(column));
  }
}
