package io.eley.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.pages.LedgerPage;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code eley ledger}: every phase, what it got and what we did meanwhile. Reads the file, so it
 * works when nothing runs any more.
 */
@Command(
    name = "ledger",
    mixinStandardHelpOptions = true,
    description = "Shows every HPC phase: its length, alone and with us, our bytes, the hold.")
final class LedgerCommand implements Callable<Integer> {
  private static final double MIB = 1 << 20;

  /** How it is printed. */
  enum Format {
    TABLE,
    CSV,
    JSON
  }

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Option(names = "--app", paramLabel = "NAME", description = "only phases of this application")
  private @Nullable String application;

  @Option(names = "--last", paramLabel = "N", description = "only the last so many")
  private @Nullable Integer last;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, csv or json (default: ${DEFAULT-VALUE})")
  private Format format = Format.TABLE;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "write a page with the timeline instead; it needs nothing else to be read")
  private @Nullable Path html;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    PrintWriter out = spec.commandLine().getOut();
    List<PhaseEntry> entries = entries(deployment.files().directory());
    try {
      if (html != null) {
        LedgerPage.write(entries, html);
        out.println(html + ": " + entries.size() + " phases");
        out.flush();
        return 0;
      }
      switch (format) {
        case TABLE -> table(entries, out);
        case CSV -> LedgerFile.print(entries, out);
        case JSON ->
            out.println(
                new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(entries.stream().map(LedgerCommand::json).toList()));
      }
    } catch (JsonProcessingException e) {
      throw new EleyException(ErrorCode.INTERNAL, "cannot write JSON: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot write: " + e.getMessage(), e);
    }
    out.flush();
    return 0;
  }

  private List<PhaseEntry> entries(Path directory) throws EleyException {
    if (!Files.isDirectory(directory)) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "no deployment in " + directory + ": there is no ledger");
    }
    try {
      var chosen =
          new LedgerFile(directory)
              .read().stream()
                  .filter(e -> application == null || e.application().equals(application))
                  .toList();
      int from = last == null ? 0 : Math.max(0, chosen.size() - Math.max(0, last));
      return chosen.subList(from, chosen.size());
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "cannot read the ledger in " + directory + ": " + e.getMessage(),
          e);
    }
  }

  private static void table(List<PhaseEntry> entries, PrintWriter out) {
    if (entries.isEmpty()) {
      out.println("no phase yet");
      return;
    }
    out.printf(
        Locale.ROOT,
        "%-20s %-16s %-10s %8s %9s %8s %9s %7s %8s %9s  %s%n",
        "began",
        "application",
        "source",
        "s",
        "foreseen",
        "alone s",
        "slower %",
        "hold ms",
        "held",
        "ours MiB",
        "decision");
    for (PhaseEntry e : entries) {
      out.printf(
          Locale.ROOT,
          "%-20s %-16s %-10s %8.2f %9s %8s %9s %7s %5d/%-2d %9.1f  %s%n",
          e.began().truncatedTo(ChronoUnit.SECONDS),
          e.application(),
          e.source(),
          seconds(e.length()),
          e.predicted().map(p -> foreseen(e, p)).orElse("-"),
          e.alone().map(a -> decimal("%.2f", seconds(a.length()))).orElse("-"),
          e.slowdown().map(s -> decimal("%+.1f", 100 * s)).orElse("-"),
          e.hold().latency().map(l -> decimal("%.1f", 1e3 * seconds(l))).orElse("-"),
          e.hold().confirmed(),
          e.hold().nodes(),
          e.ourTotal() / MIB,
          e.decision() + (e.ending().equals("ANNOUNCED") ? "" : " (" + e.ending() + ")"));
    }
  }

  /** How far off the forecast was, and whether permits were closed before the phase. */
  private static String foreseen(PhaseEntry e, PhaseEntry.Predicted p) {
    double off = seconds(Duration.between(p.begin(), e.began()));
    return decimal("%+.1f s", off) + (p.closedBefore() ? "" : "!");
  }

  private static Map<String, Object> json(PhaseEntry e) {
    var object = new LinkedHashMap<String, Object>();
    object.put("application", e.application());
    object.put("source", e.source());
    object.put("began", time(e.began()));
    object.put("seconds", seconds(e.length()));
    e.predicted()
        .ifPresent(
            p -> {
              object.put("predictedBegin", time(p.begin()));
              object.put("predictedSeconds", seconds(p.length()));
              object.put("closedBefore", p.closedBefore());
            });
    e.foreignBytesPerSecond().ifPresent(f -> object.put("foreignBytesPerSecond", f));
    e.alone()
        .ifPresent(
            a -> {
              object.put("aloneSeconds", seconds(a.length()));
              object.put("aloneError", a.error());
            });
    e.slowdown().ifPresent(s -> object.put("slowdown", s));
    object.put("nodes", e.hold().nodes());
    object.put("confirmed", e.hold().confirmed());
    object.put("tasksPassed", e.hold().tasksPassed());
    e.hold().latency().ifPresent(l -> object.put("holdMillis", 1e3 * seconds(l)));
    object.put("ourBytes", e.ourBytes());
    object.put("operator", e.operator());
    object.put("decision", e.decision());
    object.put("ending", e.ending());
    return object;
  }

  private static String time(Instant instant) {
    return instant.toString();
  }

  private static double seconds(Duration d) {
    return d.toNanos() / 1e9;
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
