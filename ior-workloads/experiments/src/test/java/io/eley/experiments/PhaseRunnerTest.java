package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.bb.api.config.DataSize;
import io.eley.test.fixtures.PhaseJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhaseRunnerTest {
  /** IOR's own words for a phase of 2.5 s by two tasks. */
  private static final String STAMPS =
      """
      Test 0: Iter=0, Task=1, Time=1795361670.500000, write open start
      Test 0: Iter=0, Task=0, Time=1795361670.250000, write open start
      Test 0: Iter=0, Task=0, Time=1795361672.750000, write close stop
      Test 0: Iter=0, Task=1, Time=1795361672.500000, write close stop
      """;

  @TempDir private Path directory;
  private final PhaseJournal journal = new PhaseJournal();

  private final PhaseNotices notices =
      new PhaseNotices.Announced(new LeasedPhases(journal, Duration.ofHours(1)));

  private PhaseRunner runner(int phases, String... command) {
    var application =
        HpcApplication.only(2, DataSize.ofMebibytes(1))
            .withPhases(phases)
            .withPauses(Duration.ZERO, Duration.ofMillis(1));
    return new PhaseRunner(
            application,
            output -> new IorPhase(List.of(command), output, application.phaseBound()),
            directory,
            notices,
            number -> journal.note("phase " + number))
        .start();
  }

  private Path stamps() throws IOException {
    return Files.writeString(directory.resolve("stamps"), STAMPS);
  }

  @Test
  void aPhaseLastsFromTheFirstOpeningToTheLastClosing() throws Exception {
    try (var runner = runner(2, "cat", stamps().toString())) {
      await().until(() -> runner.phases().size() == 2);
      var phase = runner.phases().get(0);
      assertThat(phase.seconds()).isEqualTo(2.5);
      assertThat(phase.beginMicros()).isEqualTo(1_795_361_670_250_000L);
      assertThat(phase.application()).isEqualTo("ior");
      await().until(() -> !runner.inPhase());
      assertThat(runner.alive()).isTrue();
    }
    assertThat(journal.lines())
        .containsExactly(
            "phase 1", "begin ior", "end ior", "phase 2", "begin ior", "end ior", "close");
    assertThat(directory.resolve("ior-ior-2.txt")).hasContent(STAMPS);
  }

  @Test
  void anIorThatFailsEndsItWithItsLastWords() {
    try (var runner = runner(2, "sh", "-c", "echo no space; exit 3")) {
      await().until(() -> !runner.alive());
      assertThat(runner.lastWords()).contains("exit code 3", "no space");
    }
    assertThat(journal.lines()).containsExactly("phase 1", "begin ior", "end ior", "close");
  }

  @Test
  void anIorWithoutTimesOfDayIsNotBelieved() {
    try (var runner = runner(1, "sh", "-c", "echo MPI Coordinated Test of Parallel I/O")) {
      await().until(() -> !runner.alive());
      assertThat(runner.phases()).isEmpty();
    }
  }

  @Test
  void closingEndsAPhaseThatRuns() throws Exception {
    Path pid = directory.resolve("pid");
    var runner = runner(1, "sh", "-c", "echo $$ > '" + pid + "'; exec sleep 600");
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);
    var process = ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));

    runner.close();

    await().until(() -> process.filter(ProcessHandle::isAlive).isEmpty());
    assertThat(runner.phases()).isEmpty();
    assertThat(journal.lines()).endsWith("close");
  }
}
