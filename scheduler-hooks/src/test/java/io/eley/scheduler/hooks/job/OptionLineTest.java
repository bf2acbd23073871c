package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What sbatch 22.05 makes of these lines, but for where it refuses the script. */
class OptionLineTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--time=1:00 | <--time=1:00>",
        "--time=1:00   --partition=cpu | <--time=1:00><--partition=cpu>",
        "--partition cpu -A physics | <--partition=cpu><-Aphysics>",
        "-Hp debug -vv | <-Hpdebug><-vv>",
        "--comment=\"a # b\" --hold | <--comment=a # b><--hold>",
        "--comment='a \"b\"' | <--comment=a \"b\">",
        "--comment='a \\' b' | <--comment=a ' b>",
        "--comment=x'y z'w | <--comment=xy zw>",
        "--comment=a\\\\b | <--comment=a\\b>",
        "--comment \"\" --hold | <--comment=><--hold>",
        "--time=1:00 # an hour | <--time=1:00>",
        // Refused: with the line itself, or here.
        "--partition=a b | <--partition=a b>",
        "-p a b | <-pa b>",
        "-H b | <-H b>",
        "--exclusive b | <--exclusive=b>",
        "--comment=it's mine | <--comment=it's mine>",
      })
  void anOptionAndItsValueAreOneWord(String line, String words) {
    assertThat("<" + String.join("><", OptionLine.words(line)) + ">").isEqualTo(words);
  }
}
