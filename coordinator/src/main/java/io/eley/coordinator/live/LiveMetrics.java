package io.eley.coordinator.live;

import io.eley.coordinator.live.LiveDocument.Application;
import io.eley.coordinator.live.LiveDocument.Expected;
import io.eley.coordinator.live.LiveDocument.Hpc;
import io.eley.coordinator.live.LiveDocument.Node;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The document as Prometheus reads it: base units (bytes, seconds, ratios), counters that only grow
 * while their process lives, and what is not known left out. A pure function.
 */
final class LiveMetrics {
  static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private final List<MetricSnapshot> all = new ArrayList<>();

  private LiveMetrics() {}

  /** One value with its labels. */
  private record Value(Labels labels, double value) {}

  /** All metrics in the text format. */
  static String text(LiveDocument document) {
    var metrics = new LiveMetrics();
    metrics.deployment(document);
    metrics.nodes(document.nodes());
    metrics.applications(document.applications());
    metrics.phases(document);
    var out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, new MetricSnapshots(metrics.all));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Memory does not fail.
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private void deployment(LiveDocument d) {
    var deployment = d.deployment();
    all.add(
        InfoSnapshot.builder()
            .name("eley_deployment")
            .help("The system that runs, and the operator that decided last.")
            .dataPoint(
                new InfoDataPointSnapshot(
                    Labels.of("mode", deployment.mode(), "operator", deployment.operator())))
            .build());
    gauge("eley_uptime_seconds", "Life of the coordinator.", one(deployment.uptimeSeconds()));
    gauge("eley_prefetch_held", "1 while prefetching is held.", one(flag(deployment.held())));
    counter(
        "eley_past_bytes",
        "Bytes that clients read past the nodes.",
        one((double) deployment.pastBytes()));
    counter(
        "eley_written_bytes",
        "Bytes that clients wrote to the origin.",
        one((double) deployment.writtenBytes()));
    counter("eley_tasks", "Tasks that told what they read.", one((double) deployment.tasks()));
    counter(
        "eley_task_wait_seconds",
        "Time for which these tasks waited for their input.",
        one(deployment.waitedSeconds()));
    gauge(
        "eley_source_up",
        "1 while a source of phases reports.",
        each(
            d.sources(), s -> Labels.of("source", s.name()), s -> flag(s.state().equals("fresh"))));
    var traffic = d.traffic();
    Double capacity = traffic.capacityBytesPerSecond();
    if (capacity != null) {
      gauge("eley_origin_capacity_bytes_per_second", "The most seen to move.", one(capacity));
    }
    if (!traffic.points().isEmpty()) {
      var last = traffic.points().get(traffic.points().size() - 1);
      var rates = new ArrayList<>(one((double) last.ours(), "side", "ours"));
      Long foreign = last.foreign();
      if (foreign != null) {
        rates.addAll(one(foreign.doubleValue(), "side", "others"));
      }
      gauge("eley_origin_traffic_bytes_per_second", "The origin's traffic by side.", rates);
    }
  }

  private void nodes(List<Node> nodes) {
    Function<Node, Labels> node = n -> Labels.of("node", n.id());
    gauge("eley_node_ram_bytes", "RAM in use.", each(nodes, node, Node::ramBytes));
    gauge("eley_node_ram_limit_bytes", "RAM budget.", each(nodes, node, Node::ramCapacityBytes));
    gauge(
        "eley_node_scratch_bytes",
        "Intermediate data in RAM.",
        each(nodes, node, Node::scratchBytes));
    counter("eley_node_served_bytes", "Bytes served.", each(nodes, node, Node::servedBytes));
    counter(
        "eley_node_served_from_ram_bytes",
        "Bytes served that were in RAM when they were asked for.",
        each(nodes, node, Node::fromRamBytes));
    gauge(
        "eley_node_permit_open",
        "1 while it may prefetch.",
        each(nodes, node, n -> flag(n.permitOpen())));
    gauge("eley_node_queued_fetches", "Fetches that wait.", each(nodes, node, Node::queued));
    gauge(
        "eley_node_heard_seconds",
        "Time since its last report.",
        each(nodes, node, n -> n.heardMillisAgo() / 1e3));
    gauge(
        "eley_node_hung_origin_calls",
        "Calls of the origin that have not come back in time.",
        each(nodes, node, Node::hungCalls));
    counter(
        "eley_node_throttled_answers",
        "Answers of the origin that asked for fewer requests.",
        each(nodes, node, Node::throttled));
    counter(
        "eley_node_damaged_blocks",
        "Blocks dropped since they did not match their checksums.",
        each(nodes, node, Node::damagedBlocks));
    var origin = new ArrayList<Value>();
    for (Node n : nodes) {
      n.originBytes()
          .forEach(
              (cause, bytes) ->
                  origin.addAll(one(bytes.doubleValue(), "node", n.id(), "cause", cause)));
    }
    counter("eley_node_origin_bytes", "Bytes read from the origin, by cause.", origin);
  }

  private void applications(List<Application> applications) {
    Function<Application, Labels> label = a -> Labels.of("application", a.id(), "name", a.name());
    gauge("eley_application_wave_tasks", "Wave.", each(applications, label, Application::wave));
    gauge(
        "eley_application_window_bytes",
        "What should be in RAM.",
        each(applications, label, Application::windowBytes));
    gauge(
        "eley_application_window_in_ram_bytes",
        "What of it is in RAM.",
        each(applications, label, Application::windowInRamBytes));
    counter(
        "eley_application_read_bytes",
        "Bytes its tasks read.",
        each(applications, label, Application::readBytes));
    counter(
        "eley_application_wait_seconds",
        "Time its tasks waited for them.",
        each(applications, label, Application::waitedSeconds));
    gauge(
        "eley_application_saved_seconds",
        "Task time saved against reading the origin, estimated.",
        known(applications, label, Application::savedSeconds));
  }

  private void phases(LiveDocument d) {
    Function<Hpc, Labels> label = h -> Labels.of("application", h.application());
    gauge("eley_phase_open", "1 in a phase.", each(d.hpc(), label, h -> flag(h.open())));
    counter("eley_phases", "Phases that are over.", each(d.hpc(), label, Hpc::phases));
    counter("eley_phase_seconds", "Time in phases.", each(d.hpc(), label, Hpc::seconds));
    counter("eley_phases_held", "Phases that all nodes held for.", each(d.hpc(), label, Hpc::held));
    counter(
        "eley_phases_held_before",
        "Phases before which all nodes held.",
        each(d.hpc(), label, Hpc::heldBefore));
    gauge(
        "eley_phase_slowdown_ratio",
        "Median slowdown against alone: 0 is as if alone.",
        known(d.hpc(), label, LiveMetrics::slowdownRatio));
    gauge(
        "eley_phase_expected_seconds",
        "Time until its next phase is expected.",
        each(
            soonest(d.phases().expected()),
            e -> Labels.of("application", e.application()),
            e -> (e.at() - d.at()) / 1e3));
  }

  /** One of each name: a board calls all applications of other users by the same one. */
  private static List<Expected> soonest(List<Expected> all) {
    var byName = new LinkedHashMap<String, Expected>();
    all.forEach(e -> byName.merge(e.application(), e, (a, b) -> b.at() < a.at() ? b : a));
    return List.copyOf(byName.values());
  }

  private static @Nullable Double slowdownRatio(Hpc h) {
    Double percent = h.slowdownPercent();
    return percent == null ? null : Double.valueOf(percent / 100);
  }

  private void gauge(String name, String help, List<Value> values) {
    if (!values.isEmpty()) {
      var gauge = GaugeSnapshot.builder().name(name).help(help);
      values.forEach(v -> gauge.dataPoint(new GaugeDataPointSnapshot(v.value, v.labels, null)));
      all.add(gauge.build());
    }
  }

  /** Its name gets {@code _total}. */
  private void counter(String name, String help, List<Value> values) {
    if (!values.isEmpty()) {
      var counter = CounterSnapshot.builder().name(name).help(help);
      values.forEach(
          v -> counter.dataPoint(new CounterDataPointSnapshot(v.value, v.labels, null, 0)));
      all.add(counter.build());
    }
  }

  private static List<Value> one(double value, String... labels) {
    return List.of(new Value(labels.length == 0 ? Labels.EMPTY : Labels.of(labels), value));
  }

  private static <T> List<Value> each(
      List<T> entries, Function<T, Labels> labels, ToDoubleFunction<T> figure) {
    return entries.stream().map(e -> new Value(labels.apply(e), figure.applyAsDouble(e))).toList();
  }

  /** Of those whose figure is known. */
  private static <T> List<Value> known(
      List<T> entries, Function<T, Labels> labels, Function<T, @Nullable Double> figure) {
    var values = new ArrayList<Value>();
    for (T entry : entries) {
      Double value = figure.apply(entry);
      if (value != null) {
        values.add(new Value(labels.apply(entry), value));
      }
    }
    return values;
  }

  private static double flag(boolean set) {
    return set ? 1 : 0;
  }
}
