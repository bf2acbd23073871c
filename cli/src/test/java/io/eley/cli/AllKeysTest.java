package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.ConfigKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The grammar of keys, as {@link ConfigKey} has it, and settings under old names. */
class AllKeysTest {
  /** Levels of parts of Eley that have one key so far. */
  private static final Set<String> SMALL_PARTS = Set.of("eley.fs", "eley.shuffle");

  private final List<String> warnings = new ArrayList<>();

  static Stream<ConfigKey<?>> keys() {
    return AllKeys.list().stream();
  }

  private static Set<String> names() {
    return keys().map(ConfigKey::name).collect(Collectors.toSet());
  }

  private static String level(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyNameFollowsTheGrammar(ConfigKey<?> key) {
    assertThat(key.name()).matches(ConfigKey.GRAMMAR);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aLevelHasSeveralKeys(ConfigKey<?> key) {
    String level = level(key.name());
    if (!SMALL_PARTS.contains(level)) {
      assertThat(names())
          .filteredOn(name -> name.equals(level) || name.startsWith(level + "."))
          .as("keys of the level " + level)
          .hasSizeGreaterThan(1);
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aKeyThatIsALevelSwitchesOrNamesSomethingAndIsNoQuantity(ConfigKey<?> key) {
    if (names().stream().anyMatch(name -> name.startsWith(key.name() + "."))) {
      assertThat(key.defaultValue()).isInstanceOfAny(Boolean.class, String.class, Enum.class);
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aMeaningNamesOnlyKeysThatThereAre(ConfigKey<?> key) {
    var named = Pattern.compile("eley(\\.[a-z-]+)+").matcher(key.meaning());
    while (named.find()) {
      assertThat(names()).contains(named.group());
    }
  }

  @Test
  void anOldNameBelongsToOneKeyAndIsNobodysNameToday() {
    var seen = new HashSet<>(names());
    assertThat(keys().flatMap(key -> key.aliases().stream())).isNotEmpty().allMatch(seen::add);
  }

  @Test
  void settingsGetTheNamesOfTodayAndALineForEachOldOne() {
    var today =
        AllKeys.today(
            Map.of("eley.block.size", "4m", "eley.delay.max", "1s", "eley.chunk-size", "1m"),
            warnings::add);

    assertThat(today)
        .containsOnly(
            Map.entry("eley.block-size", "4m"),
            Map.entry("eley.delay.max", "1s"),
            Map.entry("eley.chunk-size", "1m"));
    assertThat(warnings).containsExactly("eley: eley.block.size is now called eley.block-size");
  }

  @Test
  void aSettingUnderTodaysNameWinsOverOneUnderAnOldName() {
    var both = Map.of("eley.block.size", "4m", "eley.block-size", "8m");

    assertThat(AllKeys.today(both, warnings::add)).isEqualTo(Map.of("eley.block-size", "8m"));
  }

  @Test
  void aKeyThatThereNeverWasIsRefused() {
    assertThatThrownBy(() -> AllKeys.today(Map.of("eley.no.such", "1"), warnings::add))
        .hasMessageContaining("eley.no.such")
        .hasMessageContaining("eley config");
  }
}
