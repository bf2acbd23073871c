package io.eley.cli.render;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.NodeCounters.Held;
import io.eley.bb.api.wire.Stayed;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A deployment at one moment: its permits, signals, nodes and applications. */
public final class StatusText {
  private static final double MIB = 1 << 20;

  /** Characters of the longest one with its port. */
  private static final int IPV4 = 21;

  private StatusText() {}

  /** Everything, for a person. */
  public static void print(DeploymentReport report, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s over %s, up %s%n",
        report.mode().label(),
        report.originAddress(),
        uptime(Duration.ofMillis(report.uptimeMillis())));
    out.printf(
        Locale.ROOT,
        "permits: %s (%s); phases open: %s%n",
        report.permitReason(),
        report.control().operator(),
        report.openPhases().isEmpty() ? "none" : String.join(", ", report.openPhases()));
    signals(report, out);
    nodes(report, out);
    if (!report.applications().isEmpty()) {
      out.println();
    }
    printApplications(report, out);
  }

  /** The open phases and the expected ones alone. */
  public static void printPhases(DeploymentReport report, PrintWriter out) {
    if (report.phases().isEmpty()) {
      out.println("no HPC application is in a phase");
    }
    phases(report, out);
    out.flush();
  }

  /** The applications alone. */
  public static void printApplications(DeploymentReport report, PrintWriter out) {
    applications(report, out);
    out.flush();
  }

  private static void phases(DeploymentReport report, PrintWriter out) {
    for (var phase : report.phases()) {
      out.printf(
          Locale.ROOT,
          "  %s for %.1f s, says %s, %d %% certain%n",
          phase.application(),
          phase.ageMillis() / 1e3,
          phase.source(),
          phase.confidencePercent());
    }
    for (var forecast : report.control().forecasts()) {
      out.printf(
          Locale.ROOT,
          "expected: %s in %.1f s for %.1f s, %d %% certain%n",
          forecast.application(),
          forecast.inMillis() / 1e3,
          forecast.lengthMillis() / 1e3,
          forecast.confidencePercent());
    }
  }

  private static void signals(DeploymentReport report, PrintWriter out) {
    phases(report, out);
    out.println(
        "sources: "
            + report.control().sources().stream()
                .map(StatusText::source)
                .collect(Collectors.joining("; ")));
    report.control().models().forEach(out::println);
    out.println();
  }

  private static String source(DeploymentReport.SourceReport source) {
    String age =
        source.state().equals("lost")
            ? " for " + uptime(Duration.ofMillis(source.ageMillis()))
            : "";
    return source.name()
        + " "
        + source.state()
        + age
        + (source.message().isEmpty() ? "" : " (" + source.message() + ")");
  }

  private static void nodes(DeploymentReport report, PrintWriter out) {
    String begin = "%-14s %-" + widestAddress(report) + "s ";
    out.printf(
        Locale.ROOT,
        begin + "%17s %7s %7s %9s %7s %6s %5s%n",
        "node",
        "address",
        "RAM used / MiB",
        "blocks",
        "queued",
        "served",
        "hits",
        "permit",
        "hung");
    for (var node : report.nodes()) {
      var c = node.counters();
      out.printf(
          Locale.ROOT,
          begin + "%8.0f /%7.0f %7d %7d %8.0fm %6s%% %6s %5d%n",
          shortened(node.id()),
          address(node),
          c.usedBytes() / MIB,
          c.capacityBytes() / MIB,
          c.blocks(),
          c.queuedFetches(),
          c.servedBytes() / MIB,
          c.servedBytes() == 0
              ? "-"
              : Long.toString(Math.round(100.0 * c.hitBytes() / c.servedBytes())),
          c.permitOpen() ? "open" : "closed",
          c.hungOriginCalls());
      if (c.scratch().outputs() + c.scratch().refused() > 0) {
        out.printf(
            "%-14s %s of it intermediate data; outputs of map tasks: %d taken, %d refused%n",
            "", readable(c.scratch().bytes()), c.scratch().outputs(), c.scratch().refused());
      }
      if (c.scratch().overflow().limitBytes() > 0) {
        out.printf(
            "%-14s %s of %s of its overflow on disk; outputs of map tasks: %d taken%n",
            "",
            readable(c.scratch().overflow().bytes()),
            readable(c.scratch().overflow().limitBytes()),
            c.scratch().overflow().outputs());
      }
      if (c.scratch().late() > 0) {
        out.printf(
            "%-14s %d times a task of an application or shuffle that had ended was refused%n",
            "", c.scratch().late());
      }
      if (c.partialBytes() > 0) {
        out.printf("%-14s %s of it in parts of blocks%n", "", readable(c.partialBytes()));
      }
      if (!c.serving()) {
        out.printf("%-14s it is opening the origin: reads go past it until then%n", "");
      }
      if (c.throttled() > 0) {
        out.printf("%-14s the origin asked %d times for fewer requests%n", "", c.throttled());
      }
      if (c.squeezed()) {
        out.printf("%-14s others fill its RAM-disk: it holds less than its budget%n", "");
      }
      if (c.damagedBlocks() > 0) {
        out.printf("%-14s %d damaged blocks were dropped%n", "", c.damagedBlocks());
      }
    }
    out.printf(
        "origin bytes read: %s%n",
        report.originBytes().isEmpty()
            ? "none"
            : report.originBytes().entrySet().stream()
                .map(e -> e.getKey() + " " + readable(e.getValue()))
                .collect(Collectors.joining(", ")));
  }

  private static String address(DeploymentReport.NodeReport node) {
    return node.host() + ":" + node.port();
  }

  private static int widestAddress(DeploymentReport report) {
    return report.nodes().stream().mapToInt(n -> address(n).length()).reduce(IPV4, Math::max);
  }

  private static void applications(DeploymentReport report, PrintWriter out) {
    Collection<Held> held = held(report);
    if (report.applications().isEmpty() && held.isEmpty()) {
      out.println("no Spark application");
      return;
    }
    out.printf(
        Locale.ROOT,
        "%-28s %-20s %5s %24s %14s%n",
        "application",
        "name",
        "wave",
        "window in RAM / MiB",
        "splits ended");
    for (var a : report.applications()) {
      out.printf(
          Locale.ROOT,
          "%-28s %-20s %5d %13.0f /%9.0f %7d /%5d%n",
          a.application(),
          a.name(),
          a.waveSize(),
          a.windowBytesInRam() / MIB,
          a.windowBytes() / MIB,
          a.endedSplits(),
          a.plannedSplits());
      if (a.unreadBytes() > 0) {
        out.printf(
            "%-28s %s were in RAM for tasks that did not read them%n",
            "", readable(a.unreadBytes()));
      }
      held.stream().filter(h -> h.application().equals(a.application())).forEach(h -> held(h, out));
      a.stayed().forEach(s -> stayed(a.application(), s, out));
    }
    // An application need not read through the buffer to have scratch in it.
    for (Held other : held) {
      if (report.applications().stream()
          .noneMatch(a -> a.application().equals(other.application()))) {
        out.println(other.application());
        held(other, out);
      }
    }
  }

  private static void held(Held held, PrintWriter out) {
    if (held.outputs() + held.refused() > 0) {
      out.printf(
          "%-28s intermediate data: %s in RAM, %s on disk; outputs of map tasks: %d there, %d"
              + " times no room%n",
          "",
          readable(held.bytes()),
          readable(held.overflowBytes()),
          held.outputs(),
          held.refused());
    }
  }

  private static void stayed(String application, Stayed stayed, PrintWriter out) {
    out.printf(
        "%-28s %s (%s) of %s stayed with executors: %s%n",
        "",
        Plural.of(stayed.outputs(), "output"),
        readable(stayed.bytes()),
        application,
        stayed.cause().words());
  }

  /** What each application has on all nodes, by its name. */
  private static Collection<Held> held(DeploymentReport report) {
    return report.nodes().stream()
        .flatMap(node -> node.counters().scratch().applications().stream())
        .collect(Collectors.toMap(Held::application, h -> h, Held::plus, TreeMap::new))
        .values();
  }

  private static String shortened(String id) {
    return id.length() <= 14 ? id : id.substring(0, 13) + "…";
  }

  private static String readable(long bytes) {
    return bytes < 1 << 20 ? new DataSize(bytes) + "" : Math.round(bytes / MIB) + "m";
  }

  private static String uptime(Duration up) {
    return up.toHours() > 0
        ? up.toHours() + "h" + up.toMinutesPart() + "m"
        : up.toMinutes() > 0
            ? up.toMinutes() + "m" + up.toSecondsPart() + "s"
            : up.toSeconds() + "s";
  }
}
