package io.eley.coordinator.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.hawkular.agent.prometheus.text.TextPrometheusMetricsProcessor;
import org.hawkular.agent.prometheus.types.Counter;
import org.hawkular.agent.prometheus.types.Gauge;
import org.hawkular.agent.prometheus.types.Metric;
import org.hawkular.agent.prometheus.types.MetricFamily;
import org.hawkular.agent.prometheus.types.MetricType;
import org.hawkular.agent.prometheus.walkers.CollectorPrometheusMetricsWalker;
import org.junit.jupiter.api.Test;

class LiveMetricsTest {
  private static final Path DASHBOARD = Path.of("..", "deploy", "grafana", "eley.json");
  private static final Pattern METRIC = Pattern.compile("\\beley_[a-z_]+");
  private static final Pattern UNIT =
      Pattern.compile(".*_(bytes|seconds|ratio|info|total|per_second|tasks|fetches|calls)$");

  /** Gauges that are flags: 0 or 1 has no unit. */
  private static final List<String> FLAGS =
      List.of("eley_prefetch_held", "eley_source_up", "eley_node_permit_open", "eley_phase_open");

  private final Map<String, MetricFamily> families =
      parsed(LiveMetrics.text(LiveDocuments.of(SampleFacts.at(1_795_438_805_000L, 3, 2))));

  private static Map<String, MetricFamily> parsed(String text) {
    var collected = new CollectorPrometheusMetricsWalker();
    new TextPrometheusMetricsProcessor(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), collected)
        .walk();
    var byName = new TreeMap<String, MetricFamily>();
    collected.getAllMetricFamilies().forEach(f -> byName.put(f.getName(), f));
    return byName;
  }

  private static List<? extends Metric> metrics(Map<String, MetricFamily> families, String name) {
    assertThat(families).containsKey(name);
    return Objects.requireNonNull(families.get(name)).getMetrics();
  }

  @Test
  void aParserReadsEveryFamilyWithItsKindAndHelp() {
    assertThat(families).hasSize(35);
    families.forEach(
        (name, family) -> {
          assertThat(family.getHelp()).as(name).isNotBlank();
          assertThat(family.getType() == MetricType.COUNTER).isEqualTo(name.endsWith("_total"));
          assertThat(UNIT.matcher(name).matches() || FLAGS.contains(name)).as(name).isTrue();
          assertThat(name).doesNotContain("milli", "mib", "percent");
        });
  }

  @Test
  void valuesAreThoseOfTheDocument() {
    var served = metrics(families, "eley_node_served_bytes_total");
    assertThat(served).hasSize(3);
    assertThat(((Counter) served.get(0)).getValue()).isEqualTo(90.0 * SampleFacts.GIB);
    assertThat(served.get(0).getLabels()).containsEntry("node", "cn101");
    var slower = (Gauge) metrics(families, "eley_phase_slowdown_ratio").get(0);
    assertThat(slower.getValue()).isEqualTo(0.008);
    assertThat(metrics(families, "eley_node_origin_bytes_total")).hasSize(6);
    assertThat(metrics(families, "eley_origin_traffic_bytes_per_second")).hasSize(2);
  }

  @Test
  void namesWithEveryCharacterStayOneLabel() {
    String odd = "a\"b\\c\u00e4{}=,";
    var document = LiveDocuments.of(SampleFacts.at(1, 0, 0));
    var hpc = new LiveDocument.Hpc(odd, 1, 2, null, null, 1, 0, false);
    var with = with(document, document.phases(), List.of(hpc));
    var phases = metrics(parsed(LiveMetrics.text(with)), "eley_phases_total");
    assertThat(phases).hasSize(1);
    assertThat(phases.get(0).getLabels()).containsEntry("application", odd);
  }

  private static LiveDocument with(
      LiveDocument document, LiveDocument.Phases phases, List<LiveDocument.Hpc> hpc) {
    return new LiveDocument(
        1,
        1,
        document.deployment(),
        document.traffic(),
        phases,
        List.of(),
        List.of(),
        hpc,
        List.of(),
        List.of());
  }

  @Test
  void ofSeveralForecastsOfOneNameTheSoonestIsToldWhateverTheirOrder() {
    var document = LiveDocuments.of(SampleFacts.at(1, 0, 0));
    var expected =
        List.of(
            new LiveDocument.Expected("somebody", 9_001, 1, 90),
            new LiveDocument.Expected("climate", 4_001, 1, 90),
            new LiveDocument.Expected("somebody", 2_001, 1, 90),
            new LiveDocument.Expected("somebody", 7_001, 1, 90));
    var phases = new LiveDocument.Phases(List.of(), List.of(), expected);
    String text = LiveMetrics.text(with(document, phases, List.of()));
    var told = new TreeMap<String, Double>();
    metrics(parsed(text), "eley_phase_expected_seconds")
        .forEach(m -> told.put(m.getLabels().get("application"), ((Gauge) m).getValue()));
    assertThat(told).containsOnly(Map.entry("climate", 4.0), Map.entry("somebody", 2.0));
  }

  /** What is not on it nobody looks at; what is on it and not here is a panel without data. */
  @Test
  void theDashboardShowsEveryMetricAndNoOther() throws Exception {
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    var expressions = new ArrayList<String>();
    dashboard.findValues("expr").forEach(e -> expressions.add(e.asText()));
    dashboard.findValues("definition").forEach(e -> expressions.add(e.asText()));
    var shown = new TreeSet<String>();
    for (String expression : expressions) {
      var named = METRIC.matcher(expression).results().map(m -> m.group()).toList();
      assertThat(named).as(expression).isNotEmpty();
      shown.addAll(named);
    }
    assertThat(shown).isEqualTo(families.keySet());
  }

  @Test
  void itsPanelsStandBesideEachOtherAndBelongToOneDeployment() throws Exception {
    JsonNode panels = new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels");
    var ids = new TreeSet<Integer>();
    var taken = new HashMap<String, String>();
    for (JsonNode panel : panels) {
      String title = panel.get("title").asText();
      assertThat(ids.add(panel.get("id").asInt())).as(title).isTrue();
      JsonNode at = panel.get("gridPos");
      int right = at.get("x").asInt() + at.get("w").asInt();
      assertThat(right).as(title).isLessThanOrEqualTo(24);
      for (int x = at.get("x").asInt(); x < right; x++) {
        for (int y = at.get("y").asInt(); y < at.get("y").asInt() + at.get("h").asInt(); y++) {
          assertThat(taken.put(x + "," + y, title)).as(title + " lies over").isNull();
        }
      }
      for (JsonNode target : panel.get("targets")) {
        String expression = target.get("expr").asText();
        long metrics = METRIC.matcher(expression).results().count();
        assertThat(expression.split("\\{job=~\"\\$job\"\\}", -1))
            .as(expression)
            .hasSize((int) metrics + 1);
      }
    }
  }
}
