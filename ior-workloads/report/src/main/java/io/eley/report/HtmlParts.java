package io.eley.report;

import static io.eley.pages.Page.escape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The parts of the page that are plain HTML. Every text that comes from outside is escaped. */
final class HtmlParts {
  private static final List<String> HEADINGS =
      List.of(
          "Map phase<br>s",
          "Total<br>s",
          "HPC phases<br>counted",
          "HPC phase<br>mean, s",
          "HPC phase<br>worst, s",
          "Alone<br>s",
          "Slower<br>%",
          "Ours in<br>phases, MiB",
          "Hold<br>latency, ms",
          "Hits<br>%");

  private HtmlParts() {}

  /** One sentence that says what was done. */
  static String lede(ExperimentReport report) {
    var p = report.parameters();
    return escape(
        text(
            "%s over %s in %d waves of %d tasks, beside an IOR-like writer, in the three systems of"
                + " the Eley paper: reading the file system directly (NaiveBB), prefetching with no"
                + " regard for others (NoAction), and prefetching that steps aside for HPC I/O"
                + " (FullDelay). In all three intermediate data lies in the buffer.",
            String.join(" and ", report.workloads()), size(p.inputBytes()), p.waves(), p.slots()));
  }

  static String verdicts(List<Verdict> verdicts) {
    var html = new StringBuilder();
    String before = "";
    for (var v : verdicts) {
      if (!v.workload().equals(before)) {
        html.append(before.isEmpty() ? "" : "</div>\n").append("<div class=\"verdicts\">\n");
      }
      before = v.workload();
      html.append(verdict(v));
    }
    return html.append(verdicts.isEmpty() ? "" : "</div>").toString();
  }

  private static String verdict(Verdict v) {
    var words = VerdictWords.of(v);
    boolean unknown = words.state().equals(VerdictWords.UNKNOWN);
    return text(
        """
        <article class="verdict %s">
        <p class="state">%s %s <span>%s</span></p>
        <p class="sentence">%s</p>
        <p class="measured">%s <small>%s, %s</small></p>
        <p class="explanation">%s.</p>
        </article>
        """,
        v.met() ? "met" : unknown ? "unknown" : "missed",
        v.met() ? "✓" : unknown ? "?" : "✗",
        words.state(),
        escape(v.workload()),
        escape(v.expectation()),
        words.measured().replace('-', '−'),
        escape(v.unit()),
        words.bound(),
        escape(sentence(v.explanation())));
  }

  private static String sentence(String text) {
    return text.isEmpty() ? "" : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  static String table(ExperimentReport report) {
    var html = new StringBuilder("<table>\n<thead><tr><th class=\"text\">Workload</th>");
    html.append("<th class=\"text\">Mode</th>");
    HEADINGS.forEach(h -> html.append("<th scope=\"col\">").append(h).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    String before = "";
    for (var row : report.rows()) {
      boolean first = !row.workload().equals(before);
      before = row.workload();
      html.append(row(row, first));
    }
    return html.append("</tbody>\n</table>").toString();
  }

  private static String row(Summary summary, boolean first) {
    var cells = ReportTable.cells(summary);
    var html = new StringBuilder(first ? "<tr class=\"first\">" : "<tr>");
    html.append("<th scope=\"row\">").append(first ? escape(cells.get(0)) : "").append("</th>");
    html.append("<td class=\"text\"><i class=\"")
        .append(escape(summary.mode()))
        .append("\"></i>")
        .append(escape(modeName(summary.mode())))
        .append("</td>");
    var ranges = summary.runs() > 1 ? ReportTable.ranges(summary) : List.<String>of();
    for (int i = 2; i < cells.size(); i++) {
      String range = ranges.isEmpty() ? "" : ranges.get(i);
      html.append("<td>")
          .append(cells.get(i).equals("-") ? "–" : figure(cells.get(i)))
          .append(
              range.isEmpty() ? "" : "<small>" + figure(range).replace("..", " to ") + "</small>")
          .append("</td>");
    }
    return html.append("</tr>\n").toString();
  }

  private static String figure(String number) {
    return escape(number.replace('-', '−'));
  }

  /** For captions of bars. */
  static String repeated(ExperimentReport report) {
    return report.repetitions() == 1
        ? ""
        : ", the median of " + report.repetitions() + " repetitions";
  }

  /** What this is a model of, and how small a one. */
  static String scale(ExperimentReport report) {
    var p = report.parameters();
    return escape(
        text(
            "Scale: one machine with %d cores, %d tasks at once, %s of input, an emulated file"
                + " system of %s/s for everybody; the paper's Spark had 512 tasks at once and"
                + " 160 GB, on a file system of six servers. Compare the systems with each other,"
                + " not these seconds with a cluster's. %s",
            report.host().cores(),
            p.slots(),
            size(p.inputBytes()),
            size(p.pfsBytesPerSecond()),
            report.repetitions() == 1
                ? "One repetition: differences of a few per cent are noise."
                : text(
                    "%d repetitions: figures are medians, with their range.",
                    report.repetitions())));
  }

  /** A place for each workload's picture of both sides' traffic. */
  static String traffic(ExperimentReport report) {
    var html = new StringBuilder();
    var workloads = report.workloads();
    for (int i = 0; i < workloads.size(); i++) {
      String workload = workloads.get(i);
      html.append(
          text(
              """
              <figure class="traffic"><figcaption><b>%s%s.</b> %s</figcaption>
              <div class="chart" id="traffic-%d" data-name="traffic-%s" role="img" aria-label="Both sides' traffic over time in the three systems on %s, stacked under the file system's capacity"></div></figure>
              """,
              escape(workload),
              report.repetitions() == 1 ? "" : ", repetition " + report.middleRepetition(workload),
              "What passes through the file system, ours below, the HPC application's on top of"
                  + " it; the dashed line is all that it can give.",
              i,
              escape(workload),
              escape(workload)));
    }
    return html.toString();
  }

  static String timelines(ExperimentReport report) {
    var html = new StringBuilder(LEGEND);
    var workloads = report.workloads();
    for (int i = 0; i < workloads.size(); i++) {
      String workload = workloads.get(i);
      int repetition = report.middleRepetition(workload);
      html.append("<h3>").append(escape(workload));
      if (report.repetitions() > 1) {
        html.append(
            text(
                " <span>repetition %d of %d, the middle one by FullDelay's map phase</span>",
                repetition, report.repetitions()));
      }
      html.append("</h3>\n");
      for (var run : report.runs()) {
        if (run.workload().equals(workload) && run.repetition() == repetition) {
          html.append(timeline(run, i));
        }
      }
    }
    return html.toString();
  }

  private static final String LEGEND =
      """
      <ul class="legend">
      <li><i style="background:var(--task-a)"></i><i style="background:var(--task-b)"></i>map tasks, by wave</li>
      <li><i style="background:var(--prefetch)"></i>prefetch</li>
      <li><i style="background:var(--demand)"></i>demand (a task waits)</li>
      <li><i style="background:var(--direct)"></i>direct (Spark reads the file system)</li>
      <li><i style="background:var(--fallback)"></i>fallback</li>
      <li><i style="background:var(--hpc)"></i>HPC writes</li>
      <li><i style="background:var(--band);border:1px solid var(--line)"></i>HPC phase</li>
      <li><i class="striped"></i>permits closed</li>
      </ul>
      """;

  private static String timeline(RunRecord run, int workload) {
    return text(
        """
        <figure class="run"><figcaption><b>%s</b> %s</figcaption>
        <div class="chart timeline" id="timeline-%d-%s" data-name="%s" role="img" aria-label="Timeline of %s"></div></figure>
        """,
        escape(modeName(run.mode())),
        run.mapSeconds() == null
            ? "the writer has the file system to itself"
            : text(
                "map phase %.1f s; HPC phases in it: %d",
                run.mapSeconds(), run.countedPhases().size()),
        workload,
        escape(run.mode()),
        escape(run.workload() + "-" + run.mode()),
        escape(modeName(run.mode()) + " on " + run.workload()));
  }

  static String host(Host host) {
    var facts = new LinkedHashMap<String, String>();
    facts.put("Processor", host.cpu());
    facts.put("Cores", Integer.toString(host.cores()));
    facts.put("Memory", host.memoryBytes() == 0 ? "unknown" : size(host.memoryBytes()));
    facts.put("Kernel", host.kernel());
    facts.put("JDK", host.jdk());
    facts.put("Commit", host.commit() == null ? "unknown" : host.commit());
    return panel("Machine", facts);
  }

  static String parameters(Parameters p) {
    var facts = new LinkedHashMap<String, String>();
    facts.put("Input", p.input() + ", " + size(p.inputBytes()));
    facts.put("Waves", text("%d of %d tasks, %s each", p.waves(), p.slots(), size(p.splitBytes())));
    facts.put("Spark", p.sparkVersion());
    facts.put(
        "Burst buffer",
        text(
            "%d nodes, %s of RAM each, blocks of %s in chunks of %s, %d fetchers a node",
            p.nodes(),
            size(p.nodeMemoryBytes()),
            size(p.blockBytes()),
            size(p.chunkBytes()),
            p.fetchersPerNode()));
    facts.put(
        "File system",
        text(
            "%s/s shared by all, at most %s/s a stream, %d µs a request; %s",
            size(p.pfsBytesPerSecond()),
            size(p.pfsStreamBytesPerSecond()),
            p.pfsLatencyMicros(),
            p.capacityFrom()));
    facts.put("HPC load", p.ior());
    facts.put(
        "HPC phases",
        text(
            "%s a phase by %d tasks, pauses of %.1f s",
            size(p.iorPhaseBytes()), p.iorTasks(), p.iorPauseSeconds()));
    facts.put("Seed", Long.toString(p.seed()));
    return panel("Parameters", facts);
  }

  static String panel(String title, Map<String, String> facts) {
    var html = new StringBuilder("<div class=\"panel\"><h3>" + escape(title) + "</h3><dl>\n");
    facts.forEach(
        (name, value) ->
            html.append("<dt>")
                .append(escape(name))
                .append("</dt><dd>")
                .append(escape(value))
                .append("</dd>\n"));
    return html.append("</dl></div>\n").toString();
  }

  static String modeName(String mode) {
    return mode.equals(RunRecord.HPC_ALONE) ? "HPC alone" : mode;
  }

  /** For people: three significant digits at most, in units of 1024. */
  static String size(long bytes) {
    if (bytes < 1 << 10) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= 1024 && unit < 3) {
      value /= 1024;
      unit++;
    }
    return shortNumber(value >= 100 ? Math.round(value) : Math.round(value * 10) / 10.0)
        + " "
        + "KMGT".charAt(unit)
        + "iB";
  }

  private static String shortNumber(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
