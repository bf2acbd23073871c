package io.eley.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.laboratory.Installation;
import io.eley.laboratory.LogKeeper;
import io.eley.laboratory.PermitSampler;
import io.eley.laboratory.WorkDirectory;
import io.eley.report.RunTimeline.Span;
import io.eley.workloads.WorkloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small parts of the demo, each on its own. */
class DemoPartsTest {
  private static final long MIB = 1 << 20;

  @TempDir Path directory;

  @Test
  void sizesFollowTheComputeRateAsTheExampleSays() {
    var sizing =
        Sizing.of(
            DemoOptions.Input.GENERATED,
            DemoOptions.Hpc.SCALED,
            60 * MIB,
            DemoOptions.PfsSettings.CALIBRATED,
            2);

    assertThat(sizing.waves()).isEqualTo(10);
    assertThat(sizing.inputBytes()).isEqualTo(640 * MIB);
    assertThat(sizing.bytesPerSecond()).isEqualTo(75 * MIB);
    assertThat(sizing.streamBytesPerSecond()).isEqualTo(75 * MIB / 2);
    assertThat(sizing.hpcTaskBytes()).isEqualTo(56 * MIB);
  }

  @Test
  void aGivenSizeIsRoundedUpToWholeWavesAndNeverBelowTheLeast() {
    var input = DemoOptions.Input.GENERATED;

    assertThat(waves(input.withSize(DataSize.parse("1025m")))).isEqualTo(17);
    assertThat(waves(input.withSize(DataSize.parse("1m")))).isEqualTo(input.leastWaves());
    assertThat(input.leastWaves()).isGreaterThanOrEqualTo(5);
  }

  @Test
  void calibrationLeavesTheFirstHalfOfTheTasksOut() throws EleyException {
    var tasks = new ArrayList<WorkloadResult.Task>();
    for (int i = 0; i < 4; i++) {
      tasks.add(new WorkloadResult.Task(i < 2 ? 0 : 5000, i < 2 ? 5000 : 6000, "h"));
    }

    assertThat(DemoSetup.steadyRate(result(tasks, 6000), 32 * MIB)).isEqualTo(64 * MIB);
  }

  @Test
  void tooFewTasksDoNotCalibrate() {
    assertThatThrownBy(() -> DemoSetup.steadyRate(result(List.of(), 1), MIB))
        .isInstanceOf(EleyException.class);
  }

  @Test
  void permitsAreClosedFromTheFirstLookThatSaysSoToTheFirstThatDoesNot() {
    var sampler = new PermitSampler();
    boolean[] open = {true, false, false, true, false};
    for (int i = 0; i < open.length; i++) {
      sampler.sample(1_000_000L * i, report(open[i]));
    }

    assertThat(sampler.closed(0)).containsExactly(new Span(1, 3), new Span(4, 4));
    assertThat(sampler.closed(2_000_000)).containsExactly(new Span(0, 1), new Span(2, 2));
  }

  @Test
  void aWorkDirectoryIsPrivateAndGoneAfterwards() throws IOException {
    Path place;
    try (var work = WorkDirectory.create(List.of(directory), 1)) {
      place = work.path();
      Files.writeString(work.directory("a/b").resolve("f"), "x");
      Files.createSymbolicLink(work.path().resolve("link"), directory);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
          .isEqualTo("rwx------");
    }

    assertThat(place).doesNotExist();
    assertThat(directory).exists();
  }

  @Test
  void aFullRamDiskIsPassedOverAndTooLittleRoomIsSaid() throws EleyException {
    var places = List.of(directory.resolve("nowhere"), directory);
    try (var work = WorkDirectory.create(places, 1)) {
      assertThat(work.path()).hasParent(directory);
    }

    assertThatThrownBy(() -> WorkDirectory.create(places, Long.MAX_VALUE))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE))
        .hasMessageContaining("nowhere has 0");
  }

  @Test
  void theUsersFilesAreBroughtAndHiddenOnesLeft() throws IOException {
    Path own = Files.createDirectories(directory.resolve("own"));
    Files.writeString(own.resolve("b.txt"), "hello");
    Files.writeString(own.resolve("a.txt"), "hi");
    Files.writeString(own.resolve("_SUCCESS"), "x");
    Files.writeString(own.resolve(".hidden"), "x");
    var progress = new ArrayList<Double>();

    var files = InputFiles.of(own);
    files.bring(directory.resolve("input"), progress::add);

    assertThat(files.bytes()).isEqualTo(7);
    assertThat(directory.resolve("input/a.txt")).hasContent("hi");
    assertThat(directory.resolve("input/b.txt")).hasContent("hello");
    assertThat(directory.resolve("input").toFile().list()).hasSize(2);
    assertThat(progress.get(1)).isCloseTo(1, within(1e-9));
  }

  @Test
  void anInputWithNothingInItIsRefused() {
    assertThatThrownBy(() -> InputFiles.of(directory)).hasMessageContaining("no files");
    assertThatThrownBy(() -> InputFiles.of(directory.resolve("none")))
        .hasMessageContaining("cannot read the input");
  }

  @Test
  void onlyLogsAreKeptOfAFailedExperiment() throws IOException {
    Path run = Files.createDirectories(directory.resolve("work/run"));
    Files.writeString(run.resolve("ior.log"), "why");
    Files.writeString(run.resolve("secret"), "shh");
    Files.writeString(run.resolve("spark.conf"), "shh");

    LogKeeper.keep(directory.resolve("work"), directory.resolve("logs"));

    assertThat(directory.resolve("logs/run/ior.log")).hasContent("why");
    assertThat(directory.resolve("logs/run").toFile().list()).containsExactly("ior.log");
  }

  @Test
  void anInstallationSaysWhatIsMissing() {
    var missing = directory.resolve("connector.jar");

    assertThatThrownBy(
            () ->
                new Installation(directory, missing, directory, directory, List.of(), null)
                    .verify())
        .hasMessageContaining("connector.jar")
        .hasMessageContaining("build the project first");
  }

  private static int waves(DemoOptions.Input input) {
    return Sizing.of(input, DemoOptions.Hpc.SCALED, MIB, DemoOptions.PfsSettings.CALIBRATED, 2)
        .waves();
  }

  private static WorkloadResult result(List<WorkloadResult.Task> tasks, long end) {
    return new WorkloadResult("WordCount", 0, 1, 1, 1, 1, "d", 0, end, tasks);
  }

  private static DeploymentReport report(boolean open) {
    var counters = new NodeCounters(1, 1, 1, 0, 0, Map.of(), 0, 0, 0, open, 0);
    return new DeploymentReport(
        BufferMode.FULL_DELAY,
        "",
        1,
        1,
        "",
        List.of(),
        new DeploymentReport.Control("full-delay", List.of(), List.of(), List.of()),
        List.of(new DeploymentReport.NodeReport("n", "h", 1, 0, counters)),
        List.of());
  }
}
