package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DataSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What somebody typed wrong, in every verb: exit code 2 before anything starts, and a sentence that
 * names it as it was typed.
 */
class WrongInputTest {
  private static final Set<Class<?>> WITH_FORM =
      Set.of(int.class, long.class, Integer.class, Long.class, DataSize.class, Duration.class);

  @TempDir private Path temp;

  /** Every option of every verb whose values have a form, by what one types. */
  static Stream<Arguments> optionsWithAForm() {
    return VerbsTest.commands()
        .flatMap(
            typed ->
                VerbsTest.spec(typed).options().stream()
                    .filter(WrongInputTest::hasForm)
                    .map(option -> Arguments.of(typed, option.longestName())));
  }

  private static boolean hasForm(OptionSpec option) {
    return WITH_FORM.contains(option.type()) || option.type().isEnum();
  }

  @Test
  void theyAreFound() {
    assertThat(optionsWithAForm()).hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @MethodSource("optionsWithAForm")
  void aValueOfAnotherFormIsNamed(List<String> typed, String option) {
    var words = new ArrayList<>(typed);
    words.addAll(List.of(option, "so-so"));
    assertRefused(Eley.run(words.toArray(String[]::new)), option + ": ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          start --origin /tmp --nodes 0              | --nodes must be 1 to 64: 0
          start --origin /tmp --memory 0             | --memory 0: must be a size, 1m to 1024t
          start --origin /tmp --block-size 3k        | --block-size 3k: must be a
          start --origin /tmp --block-size 1500k     | --block-size 1500k: must be a multiple of 1m
          start --origin /tmp --port 99999           | --port must be 0 to 65535: 99999
          start --origin /tmp -D eley.none=1         | no configuration key is called eley.none
          start --origin /tmp -D eley.delay.max=soon | eley.delay.max=soon: must be duration
          start --origin /tmp -D words               | -D or --set words: must be KEY=VALUE
          start --origin /tmp --spark-home /no/where | no Spark in --spark-home /no/where
          doctor -D eley.block-size=x                | eley.block-size=x: must be size
          status abc                                 | 'abc' is no number of a job
          apps 0                                     | '0' is no number of a job
          stop 42x                                   | '42x' is no number of a job
          summary 1_                                 | '1_' is no number of a job
          logs coordinator --json                    | --json is of the list of logs
          logs --follow --json                       | --json is of the list of logs
          status 1 2                                 | '2' is one word too many
          ledger --last -3                           | --last -3: must be 1 to
          ledger --format xml                        | --format: 'xml' is none of table, csv, json
          phase begin --app x --lease 0s             | --lease 0: must be longer
          phase run --lease 0s -- true               | --lease 0: must be longer
          simulate scenarios --count 0               | --count 0: must be 1 to
          simulate scenarios --count -5              | --count -5: must be 1 to
          simulate paper --server-rate 0             | --server-rate (MiB) 0: must be 1 to
          await --nodes 0                            | --nodes 0: must be 1 to
          sbatch --origin /tmp --ready 0 -- true     | --ready 0: must be 1 to
          sbatch --origin /tmp --buffer-nodes 0 -- x | --buffer-nodes
          sbatch --origin /tmp                       | missing: -- COMMAND
          sbatch --origin /tmp --connect -- x        | --connect takes no command
          board --publish x --origin /tmp            | a board without sources sees nothing
          slurm                                      | missing: one of
          phase                                      | missing: one of begin, end, run
          help nothing                               | there is no verb 'nothing'
          """)
  void aValueThatCannotBeIsNamed(String line, String said) {
    assertRefused(Eley.run(line.split(" ", -1)), said);
  }

  @Test
  void noVerbAtAll() {
    assertRefused(Eley.run(), "missing: a verb");
  }

  private static void assertRefused(Eley run, String said) {
    assertThat(run.code()).as(run.err()).isEqualTo(2);
    assertThat(run.err().lines().findFirst().orElse("")).startsWith("eley: ").contains(said);
    assertThat(run.err())
        .contains("--help'.")
        .doesNotContain("starting", "picocli", "java.", "Exception", " int", "null");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void homeIsTheShells() {
    assertThat(Home.path("~", temp)).isEqualTo(temp);
    assertThat(Home.path("~/in", temp)).isEqualTo(temp.resolve("in"));
    assertThat(Home.path("/~/in", temp)).isEqualTo(Path.of("/~/in"));
    assertThat(Home.path("~else", temp)).isEqualTo(Path.of("~else"));
    assertThat(Home.directory(java.util.Map.of("HOME", temp.toString()))).isEqualTo(temp);
    Eley run = Eley.run("start", "--origin", "~/no/such/directory", "-d", temp + "/d");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains(Home.directory() + "/no/such/directory does not exist");
    assertThat(temp.resolve("d")).doesNotExist();
  }

  @Test
  void aRelativeOriginIsADirectory() {
    Eley run = Eley.run("start", "--origin", "no/such", "-d", temp + "/d");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains(Path.of("no/such").toAbsolutePath() + " does not exist");
  }
}
