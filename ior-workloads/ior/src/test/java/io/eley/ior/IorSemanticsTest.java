package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DataSize;
import io.eley.ior.IorResult.Times;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IorSemanticsTest {
  private static final long MILLI = 1_000_000;

  private final FakeTarget target = new FakeTarget();
  private final List<String> events = new ArrayList<>();
  private int pausesLeft = Integer.MAX_VALUE;

  private final IorPhaseListener listener =
      new IorPhaseListener() {
        @Override
        public void phaseBegins(IorOperation operation, int iteration) {
          events.add("begin " + operation.label() + iteration);
        }

        @Override
        public void phaseEnds(IorOperation operation, int iteration, long bytes, Times times) {
          events.add("end " + operation.label() + iteration + " " + bytes);
        }

        @Override
        public void close() {
          events.add("close");
        }
      };

  private static IorOptions options(IorOptions.Access access, int tasks, int repetitions) {
    return new IorOptions(
        "/f",
        access,
        new IorOptions.Shape(new DataSize(1024), new DataSize(4096), 2, tasks, repetitions),
        new IorOptions.Pacing(7, 0, false),
        false,
        3);
  }

  private static IorOptions.Access access(boolean write, boolean read) {
    return new IorOptions.Access(write, read, false, true, false);
  }

  private static IorOptions with(IorOptions o, IorOptions.Pacing pacing, boolean keep) {
    return new IorOptions(o.file(), o.access(), o.shape(), pacing, keep, o.verbose());
  }

  private IorResult run(IorOptions options) throws IOException {
    IorRun.Pause pause =
        length -> {
          events.add("pause " + length.toSeconds());
          return pausesLeft-- > 0;
        };
    var clock = new IorClock(target.clock::get, 0, 5_000_000);
    try (var tasks = new ThreadTasks(options, target, target.clock::get)) {
      return new IorRun(
              options,
              tasks,
              new TestFiles(options, target),
              List.of(listener),
              new IorRun.Surroundings(pause, clock))
          .run();
    }
  }

  @Test
  void pausesBeforeEachPhaseTheFirstIncluded() throws IOException {
    run(options(access(true, true), 1, 2));
    assertThat(events)
        .containsExactly(
            "pause 7",
            "begin write0",
            "end write0 8192",
            "pause 7",
            "begin read0",
            "end read0 8192",
            "pause 7",
            "begin write1",
            "end write1 8192",
            "pause 7",
            "begin read1",
            "end read1 8192");
  }

  @Test
  void measuresAsIorDoes() throws IOException {
    target.openNanos = 10 * MILLI;
    target.transferNanos = 100 * MILLI;
    target.syncNanos = 200 * MILLI;
    target.closeNanos = 30 * MILLI;
    var result = run(options(access(true, false), 1, 1));
    var phase = result.phases().get(0);
    // 8 transfers of 1 KiB in 0.8 s, a sync of 0.2 s, open and close around them.
    assertThat(phase.times()).isEqualTo(new Times(0.01, 1.0, 0.03, 1.04));
    assertThat(phase.mebibytesPerSecond()).isEqualTo(8.0 / 1024 / 1.04);
    assertThat(phase.iops()).isEqualTo(8.0);
    assertThat(phase.latency()).isEqualTo(0.1);
    assertThat(phase.blockKibibytes()).isEqualTo(4);
    assertThat(phase.transferKibibytes()).isEqualTo(1);
    var summary = result.summaries().get(0);
    assertThat(summary.rates().deviation()).isZero();
    assertThat(summary.meanSeconds()).isEqualTo(1.04);
    assertThat(result.details().stamps())
        .extracting(s -> s.event() + " " + s.epochMicros())
        .containsExactly(
            "open start 5000000",
            "open stop 5010000",
            "start 5010000",
            "stop 6010000",
            "close start 6010000",
            "close stop 6040000");
  }

  @Test
  void aPartLastsFromTheFirstTasksStartToTheLastTasksEnd() {
    var first = new TaskTimes(0, 10, 20, 500, 510, 520, 300, 3);
    var second = new TaskTimes(100, 110, 115, 900, 905, 1000, 500, 5);
    var options = options(access(true, false), 2, 1);
    var phase = PhaseMeasure.phase(options, IorOperation.WRITE, 4, List.of(first, second));
    assertThat(phase.times()).isEqualTo(new Times(110e-9, 880e-9, 490e-9, 1000e-9));
    assertThat(phase.mebibytesPerSecond()).isEqualTo(8 * 1024 / 1048576.0 / 1000e-9);
    assertThat(phase.latency()).isEqualTo(100e-9);
    assertThat(phase.iteration()).isEqualTo(4);
  }

  @Test
  void theSummaryHasThePopulationsDeviation() throws IOException {
    var sample = IorSamples.parsed("write.json");
    var options = options(access(true, false), 2, 3);
    var summary = PhaseMeasure.summary(options, sample.phases(), 200 << 20);
    var real = sample.summaries().get(0);
    var within = org.assertj.core.data.Offset.offset(0.00006);
    assertThat(summary.rates().mean()).isCloseTo(real.rates().mean(), within);
    assertThat(summary.rates().deviation()).isCloseTo(real.rates().deviation(), within);
    assertThat(summary.rates().max()).isEqualTo(real.rates().max());
    assertThat(summary.rates().min()).isEqualTo(real.rates().min());
    assertThat(summary.meanSeconds()).isCloseTo(real.meanSeconds(), within);
    assertThat(summary.aggregateMebibytes()).isEqualTo(real.aggregateMebibytes());
  }

  @Test
  void tasksShareAFileBlockByBlockWithinSegments() throws IOException {
    run(options(access(true, false), 2, 1));
    assertThat(target.calls)
        .filteredOn(call -> call.startsWith("write"))
        .extracting(call -> Long.parseLong(call.substring("write /f ".length())) / 1024)
        .containsExactlyInAnyOrder(
            0L, 1L, 2L, 3L, 8L, 9L, 10L, 11L, 4L, 5L, 6L, 7L, 12L, 13L, 14L, 15L);
    var options = options(access(true, false), 2, 1);
    assertThat(options.offsetOf(1, 0)).isEqualTo(4096);
    assertThat(options.offsetOf(0, 1)).isEqualTo(8192);
  }

  @Test
  void withCEachTaskReadsWhatTheNextOneWrote() throws IOException {
    run(options(new IorOptions.Access(true, true, true, false, true), 3, 1));
    assertThat(target.calls)
        .filteredOn(call -> call.startsWith("write") || call.startsWith("read"))
        .hasSize(48);
    var options = options(new IorOptions.Access(true, true, true, false, true), 3, 1);
    assertThat(options.ownerFor(2, IorOperation.READ)).isZero();
    assertThat(options.ownerFor(2, IorOperation.WRITE)).isEqualTo(2);
    assertThat(options.fileOf(12)).isEqualTo("/f.00000012");
  }

  @Test
  void filesAreRemovedBeforeWritingAndAfterEachRepetition() throws IOException {
    run(options(access(true, false), 1, 2));
    assertThat(target.calls).filteredOn(call -> call.startsWith("delete")).hasSize(4);
    assertThat(target.calls.get(0)).isEqualTo("delete /f");
    assertThat(target.sizes).isEmpty();
  }

  @Test
  void keptFilesAreOnlyReplaced() throws IOException {
    run(with(options(access(true, true), 1, 2), new IorOptions.Pacing(0, 0, false), true));
    assertThat(target.calls).filteredOn(call -> call.startsWith("delete")).hasSize(2);
    assertThat(target.sizes).containsEntry("/f", 8192L);
  }

  @Test
  void readingAloneRemovesNothingBefore() throws IOException {
    run(with(options(access(false, true), 1, 1), new IorOptions.Pacing(0, 0, false), true));
    assertThat(target.calls).noneMatch(call -> call.startsWith("delete"));
  }

  @Test
  void theStonewallEndsAPhaseAndBoundsTheReadAfterIt() throws IOException {
    target.transferNanos = 400 * MILLI;
    var stonewalled =
        with(options(access(true, true), 1, 1), new IorOptions.Pacing(0, 1, false), true);
    var result = run(stonewalled);
    // After 0.4, 0.8 and 1.2 s: the third began before the stonewall.
    assertThat(events).contains("end write0 3072", "end read0 3072");
    assertThat(result.warnings())
        .extracting(IorResult.Warning::text)
        .containsExactly(
            "Expected aggregate file size       = 8192",
            "Stat() of aggregate file size      = 3072",
            "Using actual aggregate bytes moved = 3072",
            "Maybe caused by deadlineForStonewalling");
    assertThat(result.summaries().get(0).aggregateMebibytes()).isEqualTo(3.0 / 1024);
  }

  @Test
  void bytesThatAreNotThereAreToldOf() throws IOException {
    target.losing = true;
    var result = run(options(access(true, false), 1, 1));
    assertThat(result.warnings())
        .extracting(IorResult.Warning::text)
        .containsExactly(
            "Expected aggregate file size       = 8192",
            "Stat() of aggregate file size      = 0",
            "Using actual aggregate bytes moved = 8192");
  }

  @Test
  void aRunThatIsStoppedInAPauseReportsWhatItHas() throws IOException {
    pausesLeft = 1;
    var result = run(options(access(true, true), 1, 5));
    assertThat(result.phases()).hasSize(1);
    assertThat(result.summaries()).hasSize(1);
  }

  @Test
  void aFailureOfOneTaskEndsTheOthersAlsoThoseAtABarrier() {
    target.failing = "open /f.00000001";
    var options =
        with(
            options(new IorOptions.Access(true, false, true, false, false), 3, 1),
            new IorOptions.Pacing(0, 0, true),
            false);
    assertThatThrownBy(() -> run(options))
        .isInstanceOf(IOException.class)
        .hasMessage("no luck with open /f.00000001");
    assertThat(target.calls).noneMatch(call -> call.startsWith("write"));
    assertThat(events).doesNotContain("end write0 24576");
  }

  @Test
  void withGNoTaskWritesBeforeAllHaveOpenedNorClosesBeforeAllHaveWritten() throws IOException {
    run(
        with(
            options(new IorOptions.Access(true, false, true, false, false), 4, 1),
            new IorOptions.Pacing(0, 0, true),
            true));
    var kinds = target.calls.stream().map(call -> call.substring(0, call.indexOf(' '))).toList();
    assertThat(kinds.lastIndexOf("open")).isLessThan(kinds.indexOf("write"));
    assertThat(kinds.lastIndexOf("write")).isLessThan(kinds.indexOf("close"));
    assertThat(kinds).hasSize(4 + 4 + 32 + 4);
  }

  @Test
  void aCancelledTaskEndsBeforeItsNextTransfer() {
    var options = options(access(true, false), 1, 1);
    var task = new IorTask(options, target, 0, target.clock::get);
    assertThatThrownBy(() -> task.run(new PhaseOrder(IorOperation.WRITE, 100), task::cancel))
        .hasMessage("stopped");
    assertThat(target.calls).containsExactly("open /f", "close /f");
  }

  @Test
  void theSignalWakesAPauseAndCancelsTasks() {
    var cancelled = new ArrayList<String>();
    var stop = new StopSignal();
    stop.cancels(
        new IorTasks() {
          @Override
          public List<TaskTimes> phase(PhaseOrder order) {
            return List.of();
          }

          @Override
          public void cancel() {
            cancelled.add("cancel");
          }

          @Override
          public void close() {}
        });
    assertThat(stop.pause(Duration.ZERO)).isTrue();
    stop.close();
    stop.stop();
    assertThat(stop.pause(Duration.ofHours(1))).isFalse();
    assertThat(cancelled).containsExactly("cancel");
  }
}
