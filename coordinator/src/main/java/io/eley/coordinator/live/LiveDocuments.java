package io.eley.coordinator.live;

import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.coordinator.drivers.ReadTotals;
import io.eley.coordinator.live.LiveDocument.Application;
import io.eley.coordinator.live.LiveDocument.Deployment;
import io.eley.coordinator.live.LiveDocument.Expected;
import io.eley.coordinator.live.LiveDocument.Hpc;
import io.eley.coordinator.live.LiveDocument.Node;
import io.eley.coordinator.live.LiveDocument.Open;
import io.eley.coordinator.live.LiveDocument.Past;
import io.eley.coordinator.live.LiveDocument.Phases;
import io.eley.coordinator.live.LiveDocument.Source;
import io.eley.coordinator.live.LiveDocument.Traffic;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Makes the document from what is known: a pure function, on any thread. */
final class LiveDocuments {
  /** Between two points of traffic. */
  static final Duration STEP = Duration.ofSeconds(1);

  private LiveDocuments() {}

  static LiveDocument of(LiveFacts facts) {
    DeploymentReport report = facts.report();
    return new LiveDocument(
        LiveDocument.VERSION,
        facts.at(),
        deployment(report, facts.held()),
        new Traffic(
            STEP.toMillis(), facts.capacity() > 0 ? facts.capacity() : null, facts.points()),
        phases(facts),
        report.nodes().stream().map(LiveDocuments::node).toList(),
        report.applications().stream().map(a -> application(a, facts)).toList(),
        hpc(facts),
        report.control().sources().stream()
            .map(s -> new Source(s.name(), s.state(), s.ageMillis() / 1e3, s.message()))
            .toList(),
        LiveNotes.of(facts));
  }

  private static Deployment deployment(DeploymentReport report, boolean held) {
    return new Deployment(
        report.mode().label(),
        report.originAddress(),
        report.uptimeMillis() / 1e3,
        report.control().operator(),
        report.permitReason(),
        held,
        sum(report, NodeCounters::usedBytes),
        sum(report, NodeCounters::capacityBytes),
        report.totals().servedBytes(),
        report.totals().hitBytes(),
        report.totals().pastBytes(),
        report.totals().writtenBytes(),
        report.totals().tasks(),
        report.totals().waitedMillis() / 1e3);
  }

  static long sum(DeploymentReport report, ToLongFunction<NodeCounters> figure) {
    return report.nodes().stream().map(NodeReport::counters).mapToLong(figure).sum();
  }

  private static Phases phases(LiveFacts facts) {
    long oldest = facts.points().isEmpty() ? facts.at() : facts.points().get(0).at();
    return new Phases(
        facts.past().stream()
            .filter(e -> e.began().toEpochMilli() + e.length().toMillis() >= oldest)
            .map(LiveDocuments::past)
            .toList(),
        facts.report().phases().stream()
            .map(
                p ->
                    new Open(
                        p.application(),
                        p.source(),
                        facts.at() - p.ageMillis(),
                        p.confidencePercent()))
            .toList(),
        facts.report().control().forecasts().stream()
            .map(
                f ->
                    new Expected(
                        f.application(),
                        facts.at() + f.inMillis(),
                        f.lengthMillis() / 1e3,
                        f.confidencePercent()))
            .toList());
  }

  private static Past past(PhaseEntry e) {
    return new Past(
        e.application(),
        e.began().toEpochMilli(),
        e.length().toNanos() / 1e9,
        e.slowdown().map(LiveDocuments::percent).orElse(null),
        e.hold().complete(),
        PhaseHistory.heldBefore(e));
  }

  private static Node node(NodeReport n) {
    NodeCounters c = n.counters();
    var origin = new LinkedHashMap<String, Long>();
    c.originBytes().forEach((cause, bytes) -> origin.put(cause.name(), bytes));
    return new Node(
        n.id(),
        n.host() + ":" + n.port(),
        c.usedBytes(),
        c.capacityBytes(),
        c.scratch().bytes(),
        c.servedBytes(),
        c.hitBytes(),
        origin,
        c.permitOpen(),
        c.queuedFetches(),
        n.heardMillisAgo(),
        c.hungOriginCalls(),
        c.damagedBlocks(),
        c.squeezed(),
        c.throttled());
  }

  private static Application application(ApplicationReport a, LiveFacts facts) {
    ReadTotals reads = facts.reads().getOrDefault(a.application(), ReadTotals.NONE);
    double waited = reads.waitedNanos() / 1e9;
    return new Application(
        a.application(),
        a.name(),
        a.waveSize(),
        a.windowBytes(),
        a.windowBytesInRam(),
        a.plannedSplits(),
        a.endedSplits(),
        reads.tasks(),
        reads.bytes(),
        waited,
        saved(reads, facts.originNanosPerByte()));
  }

  /** Task time saved against reading the origin, or null when its price is not known. */
  static @Nullable Double saved(ReadTotals reads, OptionalDouble originNanosPerByte) {
    return originNanosPerByte.isEmpty()
        ? null
        : Math.max(
            0, (reads.bytes() * originNanosPerByte.getAsDouble() - reads.waitedNanos()) / 1e9);
  }

  /** Those that are in a phase, then those expected, then the others, the newest phase first. */
  private static List<Hpc> hpc(LiveFacts facts) {
    List<String> open = facts.report().openPhases();
    Map<String, PhaseHistory.Figures> known = new LinkedHashMap<>();
    facts.hpc().forEach(f -> known.put(f.application(), f));
    var names = new LinkedHashSet<>(open);
    facts.report().control().forecasts().forEach(f -> names.add(f.application()));
    names.addAll(known.keySet());
    var all = new ArrayList<Hpc>();
    for (String name : names) {
      var none = new PhaseHistory.Figures(name, 0, 0, 0, 0, List.of());
      all.add(hpc(known.getOrDefault(name, none), open.contains(name)));
    }
    return all;
  }

  private static Hpc hpc(PhaseHistory.Figures f, boolean open) {
    return new Hpc(
        f.application(),
        f.phases(),
        f.seconds(),
        median(f.judged(), e -> e.slowdown().orElse(0.0)),
        median(f.judged(), PhaseEntry::slowdownError),
        f.held(),
        f.heldBefore(),
        open);
  }

  static @Nullable Double median(List<PhaseEntry> entries, ToDoubleFunction<PhaseEntry> figure) {
    double[] sorted = entries.stream().mapToDouble(figure).sorted().toArray();
    return sorted.length == 0
        ? null
        : percent((sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2);
  }

  /** With one digit behind the point; more would pretend to be known. */
  private static double percent(double fraction) {
    return Math.round(1000 * fraction) / 10.0;
  }
}
