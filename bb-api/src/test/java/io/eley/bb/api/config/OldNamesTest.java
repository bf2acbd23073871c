package io.eley.bb.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each test has a key of its own: a process is warned of an old name once. */
class OldNamesTest {
  private final List<String> warnings = new ArrayList<>();

  private static ConfigKey<Integer> key(String name, String... old) {
    return ConfigKey.integer("eley.test." + name, 1, 0, 9, "A test.").formerly(old);
  }

  @Test
  void aValueUnderAnOldNameIsTaken() {
    var key = key("taken", "eley.taken", "eley.taken.before");

    assertThat(Settings.of(Map.of("eley.taken", "7"), warnings::add).get(key)).isEqualTo(7);
    assertThat(Settings.of(Map.of("eley.taken.before", "6"), warnings::add).get(key)).isEqualTo(6);
    assertThat(Settings.of(Map.of(), warnings::add).get(key)).isEqualTo(1);
  }

  @Test
  void todaysNameWinsOverAnOldOneWithoutAWarning() {
    var values = Map.of("eley.test.wins", "7", "eley.wins", "6");

    assertThat(Settings.of(values, warnings::add).get(key("wins", "eley.wins"))).isEqualTo(7);
    assertThat(warnings).isEmpty();
  }

  @Test
  void oneWarningAProcessNamesTheOldAndTheNewName() {
    var key = key("warned", "eley.warned");
    for (int i = 0; i < 3; i++) {
      var unused = Settings.from(Map.of("eley.warned", "7")::get, warnings::add).get(key);
    }

    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("eley.warned ")
        .contains("eley.test.warned;");
  }

  @Test
  void aKeyIsSetUnderEitherName() {
    var key = key("set", "eley.set");

    assertThat(Settings.of(Map.of("eley.set", "7"), warnings::add).has(key)).isTrue();
    assertThat(Settings.of(Map.of("eley.test.set", "7"), warnings::add).has(key)).isTrue();
    assertThat(Settings.of(Map.of("eley.other", "7"), warnings::add).has(key)).isFalse();
  }

  @Test
  void aBadValueUnderAnOldNameIsRefused() {
    var settings = Settings.of(Map.of("eley.bad", "70"), warnings::add);

    assertThatThrownBy(() -> settings.get(key("bad", "eley.bad"))).hasMessageContaining("=70");
  }

  /** As a site's spark-defaults.conf may have them since before the grammar. */
  @Test
  void aClientsOldNamesReachItsOptions() {
    var old = new HashMap<String, String>();
    old.put("eley.coordinator", "there:7");
    old.put("eley.secret.file", "/secret");
    old.put("eley.origin", "/mnt/pfs");
    old.put("eley.client.connect.timeout", "1s");
    old.put("eley.client.request.deadline", "2s");
    old.put("eley.client.read.deadline", "3s");
    old.put("eley.client.origin.deadline", "4s");

    var options = ClientOptions.from(Settings.of(old, warnings::add));

    assertThat(options.deployment())
        .contains(new ClientOptions.Deployment("", "there:7", "/secret"));
    assertThat(options.originAddress()).isEqualTo("/mnt/pfs");
    assertThat(options.timeouts())
        .isEqualTo(
            new ClientOptions.Timeouts(
                Duration.ofSeconds(1),
                Duration.ofMillis(300),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4)));
    assertThat(warnings).hasSize(old.size());
    assertThat(ClientKeys.all().stream().flatMap(key -> key.aliases().stream()))
        .containsExactlyInAnyOrderElementsOf(old.keySet());
  }
}
