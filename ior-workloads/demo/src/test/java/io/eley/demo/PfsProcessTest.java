package io.eley.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.emulated.pfs.PacedStream;
import io.eley.laboratory.ExperimentClock;
import io.eley.laboratory.Installation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PfsProcessTest {
  @TempDir Path directory;

  @Test
  void grantsOfOthersAreWitnessedAndTheProcessEndsWhenClosed() throws IOException {
    Path origin = Files.createDirectories(directory.resolve("origin"));
    var settings = DemoOptions.PfsSettings.CALIBRATED.withCapacity(DataSize.parse("100m"));
    var pfs =
        PfsProcess.start(
            installation(ownClassPath()), origin, directory, settings, ExperimentClock.REAL);
    try (pfs;
        var client = pfs.address().connect("node-7")) {
      new PacedStream(client).payRead("PREFETCH", 3 << 20);

      assertThat(pfs.traceFrom(0).events())
          .hasSize(3)
          .allSatisfy(
              event -> {
                assertThat(event.client()).isEqualTo("node-7");
                assertThat(event.bytes()).isEqualTo(1 << 20);
              });
    }

    assertThatThrownBy(() -> pfs.address().connect("late")).isInstanceOf(EleyException.class);
  }

  @Test
  void aProcessThatCannotStartIsSaidWithItsWords() {
    var settings = DemoOptions.PfsSettings.CALIBRATED.withCapacity(DataSize.parse("1m"));

    assertThatThrownBy(
            () ->
                PfsProcess.start(
                    installation(List.of(directory)),
                    directory,
                    directory,
                    settings,
                    ExperimentClock.REAL))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("EmulatedPfsMain");
  }

  private Installation installation(List<Path> classPath) {
    return new Installation(directory, directory, directory, directory, classPath, null);
  }

  private static List<Path> ownClassPath() {
    String property =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(property.split(File.pathSeparator)).map(Path::of).toList();
  }
}
