package io.eley.pages;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The ledger as one page that needs nothing else: a timeline of all phases, their slowdown, and a
 * table.
 */
public final class LedgerPage {
  private static final double MIB = 1 << 20;
  private static final List<String> HEADINGS =
      List.of(
          "began",
          "application",
          "reported by",
          "seconds",
          "alone",
          "slower",
          "forecast off by",
          "held after ms",
          "nodes held",
          "under way then, of at most MiB",
          "ours MiB",
          "operator",
          "why",
          "ending",
          "known within s",
          "corrections");

  private LedgerPage() {}

  /**
   * Writes the page; a reader sees the old file or the whole new one.
   *
   * @throws IOException also when the charting library is not on the class path
   */
  public static void write(List<PhaseEntry> entries, Path file) throws IOException {
    page(entries).write(file);
  }

  /** The page. */
  public static String render(List<PhaseEntry> entries) throws IOException {
    return page(entries).render();
  }

  private static Page page(List<PhaseEntry> entries) throws IOException {
    return new Page(LedgerPage.class, "ledger")
        .text("lede", lede(entries))
        .html("table", table(entries))
        .text("created", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
        .json("data", data(entries));
  }

  private static String lede(List<PhaseEntry> entries) {
    long applications = entries.stream().map(PhaseEntry::application).distinct().count();
    long held = entries.stream().filter(e -> e.hold().complete()).count();
    long foreseen =
        entries.stream().flatMap(e -> e.predicted().stream()).filter(p -> p.closedBefore()).count();
    return String.format(
        Locale.ROOT,
        "%d phases, applications: %d; all nodes held in %d of them, and before they began in %d.",
        entries.size(),
        applications,
        held,
        foreseen);
  }

  private static String table(List<PhaseEntry> entries) {
    var html = new StringBuilder("<table><thead><tr>");
    HEADINGS.forEach(h -> html.append("<th class=\"text\">").append(h).append("</th>"));
    html.append("</tr></thead><tbody>");
    for (PhaseEntry e : entries) {
      html.append("<tr class=\"first\">");
      for (String cell : cells(e)) {
        html.append("<td class=\"text\">").append(Page.escape(cell)).append("</td>");
      }
      html.append("</tr>");
    }
    return html.append("</tbody></table>").toString();
  }

  private static List<String> cells(PhaseEntry e) {
    return List.of(
        e.began().truncatedTo(ChronoUnit.SECONDS).toString(),
        e.application(),
        e.source(),
        number("%.2f", e.length().toNanos() / 1e9),
        e.alone().map(a -> number("%.2f", a.length().toNanos() / 1e9)).orElse("–"),
        e.slowdown().map(s -> number("%+.1f %%", 100 * s)).orElse("–"),
        e.predicted().map(p -> number("%+.2f s", off(e, p))).orElse("–"),
        e.hold().latency().map(l -> number("%.1f", l.toNanos() / 1e6)).orElse("–"),
        e.hold().confirmed() + " of " + e.hold().nodes(),
        number("%.1f", e.hold().underWay().bytes() / MIB)
            + " of "
            + number("%.1f", e.hold().underWay().mostBytes() / MIB),
        number("%.1f", e.ourTotal() / MIB),
        e.operator(),
        e.decision(),
        e.ending(),
        number("%.2f", e.observed().resolution().toNanos() / 1e9),
        e.observed().corrections());
  }

  private static double off(PhaseEntry e, PhaseEntry.Predicted p) {
    return ChronoUnit.NANOS.between(p.begin(), e.began()) / 1e9;
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String data(List<PhaseEntry> entries) throws IOException {
    return new ObjectMapper().writeValueAsString(entries.stream().map(LedgerPage::point).toList());
  }

  private static Map<String, Object> point(PhaseEntry e) {
    var point = new LinkedHashMap<String, Object>();
    point.put("application", e.application());
    point.put("source", e.source());
    point.put("began", e.began().toEpochMilli());
    point.put("seconds", e.length().toNanos() / 1e9);
    e.slowdown().ifPresent(s -> point.put("slowdown", 100 * s));
    e.predicted()
        .ifPresent(
            p -> {
              point.put("predicted", p.begin().toEpochMilli());
              point.put("closedBefore", p.closedBefore());
            });
    point.put("held", e.hold().complete());
    point.put("oursMib", e.ourTotal() / MIB);
    point.put("decision", e.decision());
    return point;
  }
}
