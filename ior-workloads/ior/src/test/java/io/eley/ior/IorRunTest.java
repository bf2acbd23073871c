package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.config.DataSize;
import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Times;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IorRunTest {
  private static final long MILLI = FakeTasks.MILLI;

  private final List<String> journal = new ArrayList<>();

  private static IorOptions options(
      boolean write, boolean read, int segments, int tasks, int repetitions) {
    return new IorOptions(
        "/data/f",
        new IorOptions.Access(write, read, true, false, false),
        new IorOptions.Shape(
            DataSize.ofMebibytes(1), DataSize.ofMebibytes(4), segments, tasks, repetitions),
        new IorOptions.Pacing(20, 0, false),
        false,
        0);
  }

  private boolean pause(Duration length) {
    journal.add("pause " + length.toSeconds());
    return true;
  }

  private final class Journal implements IorPhaseListener {
    @Override
    public void phaseBegins(IorOperation operation, int iteration) {
      journal.add("begin " + operation.label() + " " + iteration);
    }

    @Override
    public void phaseEnds(IorOperation operation, int iteration, long bytes, Times times) {
      journal.add("end " + operation.label() + " " + iteration + " " + bytes);
    }

    @Override
    public void close() {}
  }

  @Test
  void eachPhaseHasItsPauseBeforeItTheFirstIncluded() throws IOException {
    var tasks = new FakeTasks(journal);
    for (int i = 0; i < 4; i++) {
      tasks.thenTaking(100);
    }

    var result = tasks.run(options(true, true, 1, 1, 2), List.of(new Journal()), this::pause);

    assertThat(journal)
        .containsExactly(
            "pause 20",
            "begin write 0",
            "write",
            "end write 0 4194304",
            "pause 20",
            "begin read 0",
            "read",
            "end read 0 4194304",
            "pause 20",
            "begin write 1",
            "write",
            "end write 1 4194304",
            "pause 20",
            "begin read 1",
            "read",
            "end read 1 4194304");
    assertThat(result.phases()).extracting(Phase::iteration).containsExactly(0, 0, 1, 1);
    assertThat(result.summaries())
        .extracting(IorResult.Summary::operation)
        .containsExactly("write", "read");
  }

  @Test
  void writesAloneHaveNoReads() throws IOException {
    var tasks = new FakeTasks(journal).thenTaking(100).thenTaking(100);

    tasks.run(options(true, false, 1, 1, 2), List.of(), this::pause);

    assertThat(journal).containsExactly("pause 20", "write", "pause 20", "write");
  }

  @Test
  void readsAloneHaveNoWrites() throws IOException {
    var tasks = new FakeTasks(journal).thenTaking(100);

    tasks.run(options(false, true, 1, 1, 1), List.of(), this::pause);

    assertThat(journal).containsExactly("pause 20", "read");
  }

  @Test
  void aRunThatIsStoppedInItsSecondPauseReportsItsFirstPhase() throws IOException {
    var tasks = new FakeTasks(journal).thenTaking(100);

    var result =
        tasks.run(
            options(true, true, 1, 1, 5),
            List.of(),
            length -> {
              pause(length);
              return journal.stream().filter("pause 20"::equals).count() < 2;
            });

    assertThat(journal).containsExactly("pause 20", "write", "pause 20");
    assertThat(result.phases()).hasSize(1);
    assertThat(result.summaries()).hasSize(1);
  }

  @Test
  void aRunThatIsStoppedInItsFirstPauseReportsNothing() throws IOException {
    var result = new FakeTasks(journal).run(options(true, true, 1, 1, 5), List.of(), d -> false);

    assertThat(journal).isEmpty();
    assertThat(result.phases()).isEmpty();
    assertThat(result.summaries()).isEmpty();
  }

  @Test
  void timesGoFromTheFirstTasksStartToTheLastTasksEnd() throws IOException {
    // Two tasks of 2 segments of 4 transfers of 1 MiB: 16 MiB in 16 transfers.
    var tasks =
        FakeTasks.silent()
            .then(
                FakeTasks.times(
                    1000 * MILLI, 1010 * MILLI, 2500 * MILLI, 2600 * MILLI, 800 * MILLI, 8),
                FakeTasks.times(
                    1005 * MILLI, 1110 * MILLI, 2910 * MILLI, 3000 * MILLI, 1600 * MILLI, 8));

    var phase = tasks.run(options(true, false, 2, 2, 1), List.of(), this::pause).phases().get(0);

    assertThat(phase.times()).isEqualTo(new Times(0.110, 1.900, 0.500, 2.000));
    assertThat(phase.mebibytesPerSecond()).isEqualTo(8.0);
    assertThat(phase.iops()).isCloseTo(16 / 1.9, within(1e-12));
    assertThat(phase.latency()).isCloseTo(2.4 / 16, within(1e-12));
    assertThat(phase.blockKibibytes()).isEqualTo(4096);
    assertThat(phase.transferKibibytes()).isEqualTo(1024);
  }

  @Test
  void theDeviationIsThePopulations() throws IOException {
    // 4 MiB in 2, 1 and 0.5 s: 2, 4 and 8 MiB/s, whose variance is 56/9.
    var tasks = FakeTasks.silent().thenTaking(2000).thenTaking(1000).thenTaking(500);

    var summary =
        tasks.run(options(true, false, 1, 1, 3), List.of(), this::pause).summaries().get(0);

    assertThat(summary.rates().max()).isEqualTo(8);
    assertThat(summary.rates().min()).isEqualTo(2);
    assertThat(summary.rates().mean()).isCloseTo(14.0 / 3, within(1e-12));
    assertThat(summary.rates().deviation()).isCloseTo(Math.sqrt(56.0 / 9), within(1e-12));
    assertThat(summary.meanSeconds()).isCloseTo(3.5 / 3, within(1e-12));
    assertThat(summary.tasks()).isEqualTo(1);
    assertThat(summary.stonewall().seconds()).isEmpty();
  }

  @Test
  void theDeviationOfOnePhaseIsNothing() throws IOException {
    var tasks = FakeTasks.silent().thenTaking(2000);

    var result = tasks.run(options(true, false, 1, 1, 1), List.of(), this::pause);

    assertThat(result.summaries().get(0).rates().deviation()).isZero();
  }

  @Test
  void aPhaseThatFailsEndsTheRun() {
    var tasks = new FakeTasks(journal);

    assertThatThrownBy(() -> tasks.run(options(true, true, 1, 1, 3), List.of(), d -> true))
        .isInstanceOf(IOException.class)
        .hasMessage("no such phase");
    assertThat(journal).containsExactly("write");
  }
}
