package io.eley.coordinator.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.server.net.NetworkOptions;
import io.eley.controller.loop.ControlKeys;
import io.eley.controller.loop.ControlOptions;
import io.eley.controller.loop.PermitTiming;
import io.eley.controller.phase.PhaseThresholds;
import io.eley.controller.predict.PredictionOptions;
import io.eley.controller.watch.WatchKeys;
import io.eley.controller.watch.WatchOptions;
import io.eley.prefetcher.control.DemandPolicy;
import io.eley.prefetcher.control.FullDelay;
import io.eley.prefetcher.plan.PlanLimits;
import io.eley.prefetcher.plan.WindowReach;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CoordinatorOptionsTest {
  private static Settings settings(String... more) {
    var values =
        new HashMap<>(Map.of("eley.coordinator.directory", "/d", "eley.coordinator.origin", "/o"));
    for (int i = 0; i < more.length; i += 2) {
      values.put(more[i], more[i + 1]);
    }
    return Settings.of(values);
  }

  /** What has to be on for a key to matter, and what is to be tried. */
  private static String[] with(String key, Map<String, String> more) {
    var values = new HashMap<>(Map.of("eley.permit.renewal", "60ms"));
    if (Set.of("eley.operator", "eley.operator.max-slowdown", "eley.operator.scale-up-fetchers")
        .contains(key)) {
      values.put("eley.mode", "Adaptive");
      values.put(
          "eley.operator", key.equals("eley.operator.scale-up-fetchers") ? "scale-up" : "chooser");
    }
    if (key.startsWith("eley.signal.slurm.")) {
      values.put("eley.signal.slurm", "true");
    } else if (key.startsWith("eley.signal.probe.")) {
      values.put("eley.signal.probe", "true");
    } else if (key.startsWith("eley.signal.counters.")) {
      values.put("eley.signal.counters", "file:/x");
    }
    values.putAll(more);
    return values.entrySet().stream()
        .flatMap(e -> Stream.of(e.getKey(), e.getValue()))
        .toArray(String[]::new);
  }

  /** A value that is not the key's default. */
  private static String other(String name) {
    return switch (name) {
      case "eley.mode" -> "NoAction";
      case "eley.block-size" -> "32m";
      case "eley.chunk-size" -> "2m";
      case "eley.coordinator.port", "eley.http.port", "eley.window.waves" -> "7";
      case "eley.http" -> "false";
      case "eley.hold.demand" -> "pass";
      case "eley.window.overrun", "eley.plan-memory", "eley.metadata.memory" -> "7k";
      case "eley.coordinator.directory" -> "/elsewhere";
      case "eley.coordinator.origin",
          "eley.coordinator.listen-host",
          "eley.coordinator.advertised-host" ->
          "elsewhere";
      case "eley.permit.renewal" -> "50ms";
      case "eley.operator" -> "scale-up";
      case "eley.operator.max-slowdown", "eley.signal.confidence" -> "0.3";
      case "eley.operator.scale-up-fetchers", "eley.fetch.concurrency" -> "7";
      case "eley.signal.threshold", "eley.delay.capped-rate", "eley.signal.probe.size" -> "7k";
      case "eley.predict", "eley.signal.reads", "eley.signal.probe.sync" -> "false";
      case "eley.http.open-metrics",
          "eley.signal.slurm",
          "eley.signal.probe",
          "eley.signal.probe.read" ->
          "true";
      case "eley.network.protection" -> "encrypt";
      case "eley.signal.slurm.jobs" -> "user=alice";
      case "eley.signal.slurm.conf",
          "eley.signal.counters",
          "eley.signal.neighbours",
          "eley.signal.board",
          "eley.signal.probe.directory" ->
          "file:/x";
      default -> "123ms";
    };
  }

  @Test
  void plansOfAllApplicationsTakeHalfAsMuchAgainAsOne() {
    var options = CoordinatorOptions.from(settings("eley.plan-memory", "8k"));
    assertThat(options.planOptions().limits()).isEqualTo(new PlanLimits(8192, 12288));
  }

  @Test
  void defaultsAreThoseOfTheKeys() {
    var options = CoordinatorOptions.from(settings());

    assertThat(options)
        .isEqualTo(
            new CoordinatorOptions(
                Path.of("/d"),
                "/o",
                BufferMode.FULL_DELAY,
                BlockGeometry.DEFAULT,
                "",
                0,
                "",
                new CoordinatorOptions.Http(true, 0, false),
                new CoordinatorOptions.Members(Duration.ofSeconds(30)),
                new ControlOptions(
                    new FullDelay(DemandPolicy.WAIT, Duration.ofSeconds(60), 16 << 20),
                    Duration.ofSeconds(60),
                    4,
                    new PermitTiming(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(200),
                        Duration.ofSeconds(3)),
                    new WatchOptions(
                        new PhaseThresholds(
                            4 << 20, Duration.ofMillis(750), Duration.ofSeconds(10)),
                        PredictionOptions.DEFAULT,
                        true,
                        0.2,
                        Duration.ofMillis(100),
                        Duration.ofSeconds(1))),
                SignalOptions.from(Settings.of(Map.of())),
                new CoordinatorOptions.Planning(WindowReach.growing(4), 64 << 10, 0),
                new CoordinatorOptions.Metadata(
                    Duration.ofSeconds(10), Duration.ZERO, Duration.ofSeconds(30), 0),
                new NetworkOptions(NetworkProtection.AUTO, Duration.ofSeconds(2))));
  }

  @Test
  void everyKeyReachesTheOptions() {
    var keys = new ArrayList<ConfigKey<?>>(CoordinatorKeys.all());
    keys.addAll(ControlKeys.all());
    keys.addAll(WatchKeys.all());
    keys.addAll(SignalKeys.all());
    keys.addAll(HoldKeys.all());
    keys.addAll(NetworkKeys.all());
    keys.addAll(OriginKeys.all());
    for (var key : keys) {
      // The renewal fits the shortest time to live that is tried.
      var base = settings(with(key.name(), Map.of()));
      var changed = settings(with(key.name(), Map.of(key.name(), other(key.name()))));
      assertThat(CoordinatorOptions.from(changed))
          .as(key.name())
          .isNotEqualTo(CoordinatorOptions.from(base));
    }
  }

  /** As a site's unit files may have them since before the grammar of keys. */
  @Test
  void oldNamesReachTheOptions() {
    var keys =
        Stream.of(CoordinatorKeys.all(), ControlKeys.all(), WatchKeys.all(), SignalKeys.all())
            .flatMap(List::stream)
            .filter(key -> !key.aliases().isEmpty())
            .toList();
    assertThat(keys).hasSizeGreaterThan(15);
    for (var key : keys) {
      var base = settings(with(key.name(), Map.of(key.name(), other(key.name()))));
      for (String old : key.aliases()) {
        var changed = settings(with(key.name(), Map.of(old, other(key.name()))));
        assertThat(CoordinatorOptions.from(changed))
            .as(old)
            .isEqualTo(CoordinatorOptions.from(base));
      }
    }
  }

  @Test
  void whatIsMissingOrImpossibleIsNamed() {
    assertThatThrownBy(() -> CoordinatorOptions.from(Settings.of(Map.of())))
        .hasMessageContaining("eley.coordinator.directory");
    assertThatThrownBy(() -> CoordinatorOptions.from(settings("eley.permit.renewal", "1500ms")))
        .hasMessageContaining("eley.permit.renewal")
        .hasMessageContaining("eley.permit.ttl");
    assertThatThrownBy(() -> CoordinatorOptions.from(settings("eley.block-size", "10k")))
        .hasMessageContaining("block size");
  }
}
