package io.eley.coordinator.status;

import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.NodeCounters.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Where an application's intermediate data is, for people. */
final class ScratchLines {
  private static final double MIB = 1 << 20;

  private ScratchLines() {}

  /** A line for each node that has, or refused, some of it; none when no node knows it. */
  static List<String> of(String application, List<NodeReport> nodes) {
    Map<String, Held> held = new TreeMap<>();
    for (NodeReport node : nodes) {
      node.counters().scratch().applications().stream()
          .filter(each -> each.application().equals(application))
          .forEach(each -> held.put(node.id(), each));
    }
    if (held.isEmpty()) {
      return List.of();
    }
    Held all = held.values().stream().reduce(Held::plus).orElseThrow();
    var lines = new ArrayList<String>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s has %.1f MiB of intermediate data in the buffer, of %s.",
            application,
            (all.bytes() + all.overflowBytes()) / MIB,
            count(all.outputs(), "map task")));
    held.forEach((node, each) -> lines.add(line(node, each)));
    if (all.refused() > 0) {
      lines.add("What all nodes refuse stays with the executor that wrote it, and is read there.");
    }
    return lines;
  }

  /** A line for each cause for which outputs of an application stayed with its executors. */
  static List<String> stayed(ApplicationReport a) {
    return a.stayed().stream()
        .map(
            s ->
                String.format(
                    Locale.ROOT,
                    "%s (%.1f MiB) of %s stayed with executors: %s.",
                    count(s.outputs(), "output"),
                    s.bytes() / MIB,
                    a.application(),
                    s.cause().words()))
        .toList();
  }

  private static String line(String node, Held held) {
    String disk =
        held.overflowed() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                " and %.1f MiB on its disk, where %d found no room in RAM",
                held.overflowBytes() / MIB,
                held.overflowed());
    return String.format(
        Locale.ROOT,
        "on %s: of %s, %.1f MiB in RAM%s%s.",
        node,
        count(held.outputs(), "map task"),
        held.bytes() / MIB,
        disk,
        held.refused() == 0 ? "" : "; it had no room for " + count(held.refused(), "output"));
  }

  private static String count(long number, String one) {
    return number + " " + one + (number == 1 ? "" : "s");
  }
}
