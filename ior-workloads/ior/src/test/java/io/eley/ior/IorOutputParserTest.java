package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Rates;
import io.eley.ior.IorResult.Stonewall;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Times;
import java.io.IOException;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against outputs of the real IOR 4.1. */
class IorOutputParserTest {
  private static IorResult parsed(String sample) throws IOException {
    return IorOutputParser.parse(IorSamples.text(sample));
  }

  private static Summary summary(
      String operation, Rates rates, double seconds, int tasks, double mebibytes) {
    return new Summary(operation, rates, seconds, tasks, mebibytes, Stonewall.NONE);
  }

  @Test
  void textOfThreeWritesHasThreePhases() throws IOException {
    var result = parsed("write.txt");

    assertThat(result.phases()).hasSize(3);
    assertThat(result.phases().get(0))
        .isEqualTo(
            new Phase(
                "write",
                132.03,
                132.22,
                0.015056,
                102400,
                1024,
                new Times(0.006772, 1.51, 0.007156, 1.51),
                0));
    assertThat(result.phases().get(2).iteration()).isEqualTo(2);
    assertThat(result.summaries())
        .containsExactly(
            summary("write", new Rates(162.61, 132.03, 151.69, 13.93), 1.33049, 2, 200));
    assertThat(result.warnings()).isEmpty();
    assertThat(result.settings().values())
        .containsEntry("test filename", "/mnt/orangefs/ior.dat")
        .containsEntry("access", "file-per-process")
        .containsEntry("repetitions", "3")
        .containsEntry("blocksize", "100 MiB");
  }

  @Test
  void textWithAPauseIsTheSame() throws IOException {
    var result = parsed("three-iterations.txt");

    assertThat(result.phases()).extracting(Phase::iteration).containsExactly(0, 1, 2);
    assertThat(result.phases().get(0))
        .isEqualTo(
            new Phase(
                "write",
                123.35,
                124.64,
                0.028861,
                65536,
                1024,
                new Times(0.021279, 2.05, 0.000159, 2.08),
                0));
    assertThat(result.summaries())
        .containsExactly(
            summary("write", new Rates(127.08, 116.96, 122.46, 4.18), 2.09286, 4, 256));
  }

  @Test
  void verboseTextHasNoPhasesForRemovals() throws IOException {
    var result = parsed("verbose.txt");

    assertThat(result.phases()).hasSize(2);
    assertThat(result.phases().get(0))
        .isEqualTo(
            new Phase(
                "write",
                129.14,
                130.27,
                0.029985,
                32768,
                1024,
                new Times(0.008430, 0.982587, 0.000097, 0.991180),
                0));
    assertThat(result.summaries())
        .containsExactly(
            summary("write", new Rates(129.14, 123.41, 126.27, 2.87), 1.01419, 4, 128));
    assertThat(result.settings().values()).containsEntry("verbose", "2");
  }

  @Test
  void veryVerboseTextOfWritesAndReadsKeepsTheirOrder() throws IOException {
    var result = parsed("vvv.txt");

    assertThat(result.phases())
        .extracting(Phase::operation)
        .containsExactly("write", "read", "write", "read");
    assertThat(result.phases()).extracting(Phase::iteration).containsExactly(0, 0, 1, 1);
    assertThat(result.phases().get(0))
        .isEqualTo(
            new Phase(
                "write",
                129.02,
                129.55,
                0.030876,
                65536,
                1024,
                new Times(0.006831, 1.98, 0.001183, 1.98),
                0));
    assertThat(result.summaries())
        .containsExactly(
            summary("write", new Rates(129.02, 109.40, 119.21, 9.81), 2.16210, 4, 256),
            summary("read", new Rates(140.94, 116.46, 128.70, 12.24), 2.00726, 4, 256));
    assertThat(result.settings().values()).containsEntry("task offset", "1");
  }

  @Test
  void stonewalledTextHasItsWarningsAndSeconds() throws IOException {
    var result = parsed("stonewall.txt");

    assertThat(result.phases())
        .containsExactly(
            new Phase(
                "write",
                139.05,
                139.16,
                0.028332,
                32768,
                1024,
                new Times(0.003008, 3.13, 0.121954, 3.14),
                0));
    assertThat(result.warnings())
        .extracting(IorResult.Warning::text)
        .containsExactly(
            "Expected aggregate file size       = 536870912",
            "Stat() of aggregate file size      = 457179136",
            "Using actual aggregate bytes moved = 457179136",
            "Maybe caused by deadlineForStonewalling");
    assertThat(result.summaries())
        .containsExactly(
            new Summary(
                "write",
                new Rates(139.05, 139.05, 139.05, 0),
                3.13566,
                4,
                436,
                new Stonewall(OptionalDouble.of(3.01), OptionalDouble.of(35.54))));
  }

  @Test
  void jsonOfWrites() throws IOException {
    var result = parsed("write.json");

    assertThat(result.phases()).extracting(Phase::iteration).containsExactly(0, 1, 2);
    assertThat(result.phases().get(0))
        .isEqualTo(
            new Phase(
                "write",
                169.8256,
                170.3782,
                0.0117,
                102400,
                1024,
                new Times(0.0089, 1.1739, 0.0049, 1.1777),
                0));
    assertThat(result.summaries())
        .containsExactly(
            summary("write", new Rates(173.7295, 169.7956, 171.1169, 1.8474), 1.1689, 2, 200));
    assertThat(result.settings().values()).containsEntry("tasks", "2");
  }

  @Test
  void jsonOfWritesAndReadsCountsTheIterationsOfEach() throws IOException {
    var result = parsed("write-read.json");

    assertThat(result.phases())
        .extracting(Phase::operation)
        .containsExactly("write", "read", "write", "read");
    assertThat(result.phases()).extracting(Phase::iteration).containsExactly(0, 0, 1, 1);
    assertThat(result.phases().get(0))
        .isEqualTo(
            new Phase(
                "write",
                70.6109,
                71.8651,
                0.0535,
                32768,
                1024,
                new Times(0.0307, 1.7811, 0.0002, 1.8128),
                0));
    assertThat(result.summaries())
        .containsExactly(
            summary("write", new Rates(96.9293, 70.6109, 83.7701, 13.1592), 1.5667, 4, 128),
            summary("read", new Rates(100.5407, 92.1318, 96.3363, 4.2045), 1.3312, 4, 128));
  }

  @Test
  void verboseJsonHasNoPhasesForRemovals() throws IOException {
    var result = parsed("delay10.json");

    assertThat(result.phases())
        .extracting(Phase::mebibytesPerSecond)
        .containsExactly(143.4484, 142.3704, 123.7726);
    assertThat(result.phases().get(0).times()).isEqualTo(new Times(0.0059, 2.6709, 0.0001, 2.6769));
    assertThat(result.summaries())
        .containsExactly(
            summary("write", new Rates(143.4484, 123.7726, 136.5305, 9.0319), 2.8255, 4, 384));
  }

  @Test
  void csvOfWrites() throws IOException {
    var result = parsed("write.csv");

    assertThat(result.phases()).extracting(Phase::iteration).containsExactly(0, 1, 2);
    assertThat(result.phases().get(0))
        .isEqualTo(
            new Phase(
                "write",
                166.3745,
                166.7027,
                0.0119,
                102400,
                1024,
                new Times(0.0062, 1.1997, 0.0080, 1.2021),
                0));
    assertThat(result.summaries()).isEmpty();
  }

  @Test
  void csvOfWritesAndReads() throws IOException {
    var result = parsed("write-read.csv");

    assertThat(result.phases())
        .extracting(Phase::operation)
        .containsExactly("write", "read", "write", "read");
    assertThat(result.phases().get(3))
        .isEqualTo(
            new Phase(
                "read",
                112.7719,
                113.3136,
                0.0336,
                32768,
                1024,
                new Times(0.0049, 1.1296, 0.0005, 1.1350),
                1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\n", "{", "{}", "hello", "access,bw", "{\"Command line\":\"ior\"}", "\0\1"})
  void garbageIsRefused(String text) {
    assertThatThrownBy(() -> IorOutputParser.parse(text)).isInstanceOf(IOException.class);
  }

  @Test
  void aResultWithoutItsNumberIsRefused() {
    String broken =
        IorSamples.text("write.json").replaceFirst("\"bwMiB\": [0-9.]+", "\"bwMiB\": null");

    assertThatThrownBy(() -> IorOutputParser.parse(broken))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bwMiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"write.txt", "vvv.txt", "stonewall.txt", "write-read.json", "write.csv"})
  void aTextThatIsCutOffAnywhereButAtTheEndOfALineOfCsvIsRefused(String sample) {
    String whole = IorSamples.text(sample);
    int end =
        sample.endsWith(".txt") ? whole.indexOf("\nFinished") : whole.stripTrailing().length();
    for (int length = 0; length < end; length += 7) {
      String cut = whole.substring(0, length);
      if (sample.endsWith(".csv") && cut.endsWith("\n")) {
        continue;
      }
      assertThatThrownBy(() -> IorOutputParser.parse(cut))
          .as("the first %d characters", length)
          .isInstanceOf(IOException.class);
    }
  }
}
