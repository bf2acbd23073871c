package io.eley.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.ConfigKey;
import io.eley.cli.AllKeys;
import io.eley.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * What scripts, units and pages name is there: configuration keys, verbs and their options. Records
 * of measurements and the changelog may name keys as they were called.
 */
class WrittenNamesTest {
  private static final Path ROOT = Path.of("..", "..").normalize();

  /**
   * System properties of tests and of the launcher, and files that are called so: no configuration
   * of a deployment.
   */
  private static final String PROPERTY =
      "eley\\.((test|live|cost)\\.[a-z.]+|home|root|benchmarks\\.ram|conf"
          + "|cdx\\.json|def|sif|tar\\.gz)";

  /** Options that our pages name, of Spark, of Slurm and of the emulated PFS's process. */
  private static final Set<String> OF_OTHERS =
      Set.of("--conf", "--comment", "--export", "--packages", "--trace");

  static Stream<WrittenText> texts() throws IOException {
    return Stream.concat(
            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "eley", ".ci/run")
                .map(ROOT::resolve),
            Stream.concat(files(ROOT.resolve("docs")), files(ROOT.resolve("deploy"))))
        .map(WrittenText::read);
  }

  private static Stream<Path> files(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.startsWith(directory.resolve("target")))
          .filter(file -> !file.toString().endsWith(".png"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void everyKeyIsThere(WrittenText text) {
    var known = AllKeys.list().stream().map(ConfigKey::name).collect(Collectors.toSet());
    if (remembersOldNames(text.path())) {
      AllKeys.list().forEach(key -> known.addAll(key.aliases()));
    }
    assertThat(text.keys())
        .as("keys in " + text)
        .allMatch(key -> known.contains(key) || key.matches(PROPERTY), "is a key of Eley");
  }

  private static boolean remembersOldNames(Path path) {
    return path.startsWith(ROOT.resolve("docs").resolve("measurements"))
        || path.endsWith("CHANGELOG.md")
        // Its table of old names is generated.
        || path.endsWith(Path.of("docs", "configuration.md"))
        // The decision on the grammar says what was wrong with one.
        || path.endsWith(Path.of("decisions", "configuration.md"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void everyCommandIsOfAVerbThatHasItsOptions(WrittenText text) {
    for (String command : text.commands()) {
      assertThat(complaint(command)).as("eley " + command + " in " + text).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void anOptionThatProseNamesIsOneOfSomeVerb(WrittenText text) {
    var known = new HashSet<>(OF_OTHERS);
    collectOptions(Main.commandLine(), known);
    if (text.path().toString().endsWith(".md")) {
      assertThat(known).as("options of eley").containsAll(text.optionsAlone());
    }
  }

  /** The test above would be green, too, if it found nothing. */
  @Test
  void commandsAndKeysAreFound() throws IOException {
    var texts = texts().toList();
    assertThat(texts.stream().flatMap(text -> text.keys().stream())).hasSizeGreaterThan(100);
    assertThat(texts.stream().flatMap(text -> text.commands().stream()))
        .hasSizeGreaterThan(40)
        .anyMatch(command -> command.startsWith("await --deployment"))
        .anyMatch(command -> command.startsWith("slurm setup --socket"))
        .anyMatch(command -> command.startsWith("slurm pools --state"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "start --colour red",
        "strat --origin /tmp",
        "phase run --ap x",
        "slurm setup --size x --joob 1"
      })
  void aCommandThatDoesNotExistIsComplainedOf(String command) {
    assertThat(complaint(command)).isNotEmpty();
  }

  @Test
  void aKeyIsFoundHoweverItIsWritten() {
    var text =
        new WrittenText(
            Path.of("x.md"),
            "`eley.a.b-c`, -D eley.d=1 -Deley.e.f=1 spark.hadoop.eley.g.h /bin/eley.service io.eley.x"
                + " eley.i.");
    assertThat(text.keys())
        .containsExactly("eley.a.b-c", "eley.d", "eley.e.f", "eley.g.h", "eley.i");
  }

  /** Empty when the verb is there and has the options. */
  private static String complaint(String command) {
    CommandLine verb = Main.commandLine();
    // What follows -S is Slurm's; a bracket or a full stop belongs to the sentence around.
    String own = command.replaceAll(" -S \\S+", "").replaceAll("[),.:]+( |$)", " ");
    List<String> words = Arrays.asList(own.strip().split("\\s+"));
    int next = 0;
    while (next < words.size() && verb.getSubcommands().containsKey(words.get(next))) {
      verb = Objects.requireNonNull(verb.getSubcommands().get(words.get(next++)));
    }
    if (next == 0 && !command.startsWith("-")) {
      return "no verb " + words.get(0);
    }
    var known = verb.getCommandSpec().optionsMap().keySet();
    return words.stream()
        .filter(word -> word.matches("--[a-z].*"))
        .map(word -> word.replaceFirst("[^a-z-].*", ""))
        .filter(word -> !known.contains(word))
        .collect(Collectors.joining(" "));
  }

  private static void collectOptions(CommandLine command, Set<String> into) {
    into.addAll(command.getCommandSpec().optionsMap().keySet());
    command.getSubcommands().values().forEach(verb -> collectOptions(verb, into));
  }
}
