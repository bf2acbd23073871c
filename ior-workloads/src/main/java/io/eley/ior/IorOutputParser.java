package io.eley.ior;

import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Settings;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Times;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads IOR's output, ours and the real one's, in all three formats; the text itself tells which it
 * is.
 */
public final class IorOutputParser {
  private IorOutputParser() {}

  /** Reads a file. */
  public static IorResult parse(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  /**
   * Reads an output.
   *
   * @throws IOException when it is none of IOR's formats, or is cut off
   */
  public static IorResult parse(String output) throws IOException {
    String text = output.stripLeading();
    if (text.startsWith("access,bw(MiB/s)")) {
      return csv(text);
    }
    if (text.startsWith("access,rank,") || text.startsWith("time,runtime,tp")) {
      throw new IOException(
          "this is IOR's CSV of single ranks or operations, which has no phases; "
              + "give the output of -O summaryFormat=CSV");
    }
    int json = text.startsWith("{") ? 0 : text.indexOf("\n{");
    if (json >= 0 && text.contains("\"Command line\"")) {
      return JsonInput.read(text.substring(json));
    }
    if (text.contains("MPI Coordinated Test of Parallel I/O")) {
      return TextInput.read(text);
    }
    throw new IOException("this is not an output of IOR (text, JSON or CSV)");
  }

  private static IorResult csv(String text) throws IOException {
    if (!text.endsWith("\n")) {
      throw new IOException("the output of IOR is cut off: its last line has no end");
    }
    var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    var phases = new ArrayList<Phase>();
    try (var records = format.parse(new StringReader(text))) {
      for (CSVRecord r : records) {
        phases.add(
            new Phase(
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
                Integer.parseInt(r.get("iter"))));
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("malformed CSV of IOR: " + e.getMessage(), e);
    }
    return new IorResult(phases, List.<Summary>of(), List.of(), new Settings(Map.of()));
  }

  private static double number(CSVRecord r, String column) {
    return Double.parseDouble(r.get(column));
  }
}
