package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What holds of every verb: its size, its help, its exit codes. */
class VerbsTest {
  /** A verb parses, calls and prints; everything else belongs elsewhere. */
  private static final int MOST_LINES = 120;

  private static final Path SOURCES = Path.of("src", "main", "java");

  @TempDir private Path temp;

  static Stream<Path> verbs() throws IOException {
    var verbs = new ArrayList<Path>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        if (Files.readString(file).contains("@Command(")) {
          verbs.add(file);
        }
      }
    }
    return verbs.stream();
  }

  @Test
  void theVerbsAreFound() throws IOException {
    assertThat(verbs()).hasSizeGreaterThan(15);
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void aVerbIsShort(Path verb) throws IOException {
    assertThat(Files.readAllLines(verb))
        .as(verb.getFileName().toString())
        .hasSizeLessThanOrEqualTo(MOST_LINES);
  }

  /** All verbs and their subcommands, by what one types. */
  static Stream<List<String>> commands() {
    var all = new ArrayList<List<String>>();
    collect(Main.commandLine(), List.of(), all);
    return all.stream();
  }

  private static void collect(CommandLine command, List<String> typed, List<List<String>> all) {
    all.add(typed);
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              boolean there = !(sub.getCommandSpec().userObject() instanceof MissingVerb);
              if (there && !name.equals("help")) {
                collect(sub, Stream.concat(typed.stream(), Stream.of(name)).toList(), all);
              }
            });
  }

  static CommandSpec spec(List<String> typed) {
    CommandLine command = Main.commandLine();
    for (String name : typed) {
      command = Objects.requireNonNull(command.getSubcommands().get(name), name);
    }
    return command.getCommandSpec();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpIsPrintedAndSaysWhatEverythingIsFor(List<String> typed) {
    var arguments = new ArrayList<>(typed);
    arguments.add("--help");
    Eley help = Eley.run(arguments.toArray(String[]::new));
    assertThat(help.code()).isZero();
    assertThat(help.err()).isEmpty();
    CommandSpec spec = spec(typed);
    assertThat(help.out()).contains("Usage: " + spec.qualifiedName());
    assertThat(spec.usageMessage().description()).as("a description").isNotEmpty();
    for (OptionSpec option : spec.options().stream().filter(o -> !o.hidden()).toList()) {
      assertThat(option.description()).as(option.longestName()).isNotEmpty();
      assertThat(help.out()).contains(option.longestName());
      assertThat(option.paramLabel())
          .as("%s says what it takes", option.longestName())
          .doesNotContain("arg");
      if (option.arity().max() > 0) {
        assertThat(option.paramLabel()).as(option.longestName()).doesNotContain("<");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void anOptionThatIsNoneIsTheUsersMistake(List<String> typed) {
    var arguments = new ArrayList<>(typed);
    arguments.add("--colour");
    Eley run = Eley.run(arguments.toArray(String[]::new));
    // A verb with a command behind it takes everything for that command, and says what is missing.
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("eley: ").contains("--help'.").doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status",
        "apps",
        "why",
        "why /in/part-0",
        "phase begin --app x",
        "phase end --app x",
        "stage-in in/*",
        "await --nodes 1 --timeout 1s"
      })
  void withoutADeploymentAVerbSaysSoInOneLine(String line) {
    Eley run = Eley.run((line + " -d " + temp).split(" ", -1));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).startsWith("eley: ").contains("no deployment runs in " + temp);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void verbsAreListedByWhatTheyAreForPlumbingAtTheEnd() {
    String help = Eley.run("--help").out();
    int before = 0;
    for (Verb.Group group : Verb.Group.values()) {
      assertThat(help.indexOf(group.title())).as(group.title()).isGreaterThan(before);
      before = help.indexOf(group.title());
      for (Verb verb : Verb.of(group)) {
        int at = help.indexOf("\n  " + verb.label() + " ", before);
        assertThat(at).as(verb.label()).isPositive();
      }
    }
    assertThat(Verb.of("status")).contains(Verb.STATUS);
    assertThat(Verb.of("none")).isEmpty();
  }

  @Test
  void theListOfJobsNamesTheVerbsThatTakeTheirNumbers() {
    String said = String.join(" ", spec(List.of("jobs")).usageMessage().description());
    List<String> taking =
        commands()
            .filter(
                typed ->
                    spec(typed).positionalParameters().stream()
                        .flatMap(words -> Stream.of(words.description()))
                        .anyMatch(about -> about.contains("of a Slurm job with a buffer")))
            .map(typed -> String.join(" ", typed))
            .toList();
    assertThat(taking).hasSizeGreaterThan(7);
    assertThat(taking)
        .allSatisfy(verb -> assertThat(said).containsPattern("`(eley )?" + verb + "`"));
  }

  @Test
  void aVerbHasTheNameOfItsClass() {
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              if (!(sub.getCommandSpec().userObject() instanceof MissingVerb)) {
                assertThat(sub.getCommandSpec().name()).isEqualTo(name);
              }
            });
  }

  @Test
  void theVersionNamesTheProtocolAndJava() {
    assertThat(Eley.run("--version").lines())
        .hasSize(2)
        .first()
        .asString()
        .isEqualTo("eley development build");
    assertThat(Eley.run("--version").out()).contains("protocol ").contains("Java ");
  }
}
