package io.eley.system.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DataSize;
import io.eley.demo.DemoExperiment;
import io.eley.demo.DemoOptions;
import io.eley.laboratory.Installation;
import io.eley.laboratory.LocalLauncher;
import io.eley.laboratory.Progress;
import io.eley.report.ExperimentReport;
import io.eley.report.ReportTable;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code eley demo --quick --repeat 2} with real Spark, real nodes and an emulated file system, on
 * little input and with short phases: what it ends in are medians with their ranges. Whether the
 * figures are good is no question here. Minutes of one Spark application after the other, so this
 * is no test for every build; {@code DemoRunsTest} is the same with fakes.
 */
@Tag("spark")
@Tag("system")
@Timeout(900)
@EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
class RepeatedDemoTest {
  private static final Path ROOT = Path.of(System.getProperty("eley.root"));
  private static final int REPETITIONS = 2;

  @TempDir private Path temp;

  private final List<String> steps = new ArrayList<>();

  @Test
  void everythingIsRunTwiceAndTheEndIsMediansWithTheirRanges() throws Exception {
    Path out = temp.resolve("out");
    ExperimentReport report =
        new DemoExperiment(installation(), new LocalLauncher(), progress()).run(small(out));

    assertThat(report.runs())
        .extracting(run -> run.repetition() + " " + run.mode())
        .containsExactly(
            "1 HPCAlone",
            "1 NaiveBB",
            "1 NoAction",
            "1 FullDelay",
            "2 HPCAlone",
            "2 NaiveBB",
            "2 NoAction",
            "2 FullDelay");
    assertThat(steps).anyMatch(step -> step.contains("repetition 2 of 2: FullDelay"));
    String shown = ReportTable.render(report);
    System.out.println(shown);
    assertThat(report.conclusion())
        .matches("With FullDelay WordCount's map phase took \\d+\\.\\d s.*")
        .endsWith("(medians of 2 repetitions, ranges in brackets).");
    assertThat(shown.replaceAll("\\s+", " ").strip()).endsWith(report.conclusion());
    assertThat(Files.readString(out.resolve(DemoExperiment.HTML_FILE)))
        .contains("medians of 2 repetitions");
    assertThat(out.resolve(DemoExperiment.JSON_FILE)).isRegularFile();
  }

  private static DemoOptions small(Path out) {
    Duration half = Duration.ofMillis(500);
    return DemoOptions.quick(out)
        .withRepetitions(REPETITIONS)
        .withInput(
            new DemoOptions.Input(
                null,
                DataSize.ofMebibytes(32),
                Duration.ofSeconds(1),
                1,
                DataSize.ofMebibytes(4),
                7))
        .withOrigin(
            new DemoOptions.PfsSettings(DataSize.ofMebibytes(16), null, Duration.ofMillis(2)))
        .withHpc(new DemoOptions.Hpc(2, half, half, DataSize.ofMebibytes(1), 2));
  }

  /** The jars that this test runs on are those of the demo, and more. */
  private static Installation installation() throws Exception {
    List<Path> jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(Files::isRegularFile)
            .toList();
    return Installation.find(ROOT, jars, null);
  }

  private Progress progress() {
    return new Progress() {
      @Override
      public void step(int number, int of, String title) {
        steps.add(title);
      }

      @Override
      public void advanced(double done, String detail) {}

      @Override
      public void note(String line) {
        System.out.println(line);
      }
    };
  }
}
