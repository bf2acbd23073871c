package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stage is planned in partition order as footers arrive, and never waits for one for ever. */
class GrowingStageTest {
  private static final StageId STAGE = new StageId("app-1", 3, 0);
  static final ByteRange TAIL = new ByteRange(990, 10);

  private final ExecutorService threads = Executors.newFixedThreadPool(8);

  /** As in the driver: a change that is made while another one is applied waits for its turn. */
  private final ExecutorService modelsThread = Executors.newSingleThreadExecutor();

  private final PlanModel model = new PlanModel("app-1", "columns");
  private final List<PlanMessage> messages = new ArrayList<>();
  private final Map<String, CountDownLatch> slow = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> slowRanges = new ConcurrentHashMap<>();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger mostHeld = new AtomicInteger();

  @AfterEach
  void stopThreads() {
    slow.values().forEach(CountDownLatch::countDown);
    slowRanges.values().forEach(CountDownLatch::countDown);
    threads.shutdownNow();
    modelsThread.shutdownNow();
  }

  @Test
  void splitsArePlannedInPartitionOrderHoweverFootersArrive() {
    slow.put("f0", new CountDownLatch(1));
    begin(IntStream.range(0, 3).mapToObj(i -> input(i, "f" + i)).toList(), 60);
    await().until(() -> reads.get() == 3);
    assertThat(planned()).isEmpty();
    slow.get("f0").countDown();
    await().until(() -> planned().size() == 3);
    assertThat(planned())
        .containsExactly(exact(0, "f0", TAIL), exact(1, "f1", TAIL), exact(2, "f2", TAIL));
    assertThat(lasts()).isEqualTo(1);
  }

  @Test
  void aFooterThatDoesNotComeInTimeIsNotPlannedAndHoldsNobodyUp() {
    slow.put("f0", new CountDownLatch(1));
    begin(List.of(input(0, "f0"), input(1, "f1")), 5);
    await().atMost(Duration.ofSeconds(30)).until(() -> planned().size() == 2);
    assertThat(planned()).containsExactly(new Split(0, List.of(), true), exact(1, "f1", TAIL));
  }

  /** Page indexes are read when the footer is known. */
  @Test
  void rangesThatDoNotComeInTimeAreNotPlannedAndHoldNobodyUp() {
    slowRanges.put("f0", new CountDownLatch(1));
    begin(List.of(input(0, "f0"), input(1, "f1")), 5);
    await().atMost(Duration.ofSeconds(30)).until(() -> planned().size() == 2);
    assertThat(planned()).containsExactly(new Split(0, List.of(), true), exact(1, "f1", TAIL));
    assertThat(lasts()).isEqualTo(1);
  }

  @Test
  void aFooterThatCannotBeReadCostsItsFileOnly() {
    begin(List.of(input(0, "broken", "f0"), input(1, "unlinked"), input(2, "f1")), 60);
    await().until(() -> planned().size() == 3);
    assertThat(planned())
        .containsExactly(exact(0, "f0", TAIL), new Split(1, List.of(), true), exact(2, "f1", TAIL));
  }

  @Test
  void aFileOfRowsIsPlannedWhole() {
    begin(List.of(input(0, "rows")), 60);
    await().until(() -> planned().size() == 1);
    assertThat(planned()).containsExactly(input(0, "rows").whole());
    assertThat(planned().get(0).exact()).isFalse();
  }

  @Test
  void aTaskThatHasEndedIsNotPlannedAnyMore() {
    slow.put("f0", new CountDownLatch(1));
    begin(List.of(input(0, "f0"), input(1, "f1")), 60);
    await().until(() -> reads.get() == 2);
    post(m -> m.endTask(STAGE, 1));
    slow.get("f0").countDown();
    await().until(() -> lasts() == 1);
    assertThat(planned()).containsExactly(exact(0, "f0", TAIL));
  }

  @Test
  void aPlanBehindItsTasksReadsNoFootersOfThoseThatHaveEnded() {
    slow.put("f0", new CountDownLatch(1));
    begin(IntStream.range(0, 2_000).mapToObj(i -> input(i, "f" + i)).toList(), 60);
    await().until(() -> reads.get() == 64);
    IntStream.range(64, 1_999).forEach(i -> post(m -> m.endTask(STAGE, i)));
    slow.get("f0").countDown();
    await().until(() -> lasts() == 1);
    assertThat(planned()).extracting(Split::partition).hasSize(65).contains(0, 63, 1_999);
    assertThat(reads).hasValue(65);
  }

  @Test
  void aStageWhoseOtherTasksHaveAllEndedIsKnownWhole() {
    slow.put("f0", new CountDownLatch(1));
    begin(IntStream.range(0, 2_000).mapToObj(i -> input(i, "f" + i)).toList(), 60);
    await().until(() -> reads.get() == 64);
    IntStream.range(1, 2_000).forEach(i -> post(m -> m.endTask(STAGE, i)));
    slow.get("f0").countDown();
    await().until(() -> planned().size() == 1);
    await().until(() -> !grows());
    assertThat(reads).hasValue(64);
  }

  @Test
  void aStageThatIsOverReadsNoMoreFooters() {
    slow.put("f0", new CountDownLatch(1));
    begin(IntStream.range(0, 2_000).mapToObj(i -> input(i, "f" + i)).toList(), 60);
    await().until(() -> reads.get() == 64);
    post(m -> m.endStage(STAGE));
    slow.get("f0").countDown();
    await().during(Duration.ofMillis(200)).until(() -> reads.get() == 64);
    assertThat(planned()).isEmpty();
  }

  @Test
  void aFileOfManySplitsIsReadOnce() {
    begin(IntStream.range(0, 1_000).mapToObj(i -> input(i, "f" + i % 4)).toList(), 60);
    await().until(() -> lasts() == 1);
    assertThat(planned()).hasSize(1_000);
    assertThat(reads).hasValue(4);
  }

  @Test
  void theFirstSplitIsPlannedWhenItsOwnFilesAreReadThoughAllOthersHang() {
    var inputs = smallFiles(256);
    for (TaskInput input : inputs.subList(1, 256)) {
      input.parts().forEach(part -> slow.put(name(part), new CountDownLatch(1)));
    }
    begin(inputs, 60);
    await().until(() -> !planned().isEmpty());
    assertThat(planned().get(0).slices()).hasSize(32);
  }

  /** A footer of a file of many columns takes megabytes of the driver's heap. */
  @Test
  void fewFootersAreHeldUntilTheirFilesRangesAreKnown() {
    begin(smallFiles(100), 60);
    await().until(() -> lasts() == 1);
    assertThat(planned()).hasSize(100).allMatch(split -> split.slices().size() == 32);
    assertThat(mostHeld.get()).as("one of each thread").isBetween(1, 8);
  }

  @Test
  void noFileOfASplitOfVeryManyIsLeftOut() {
    var files = IntStream.range(0, 12_000).mapToObj(i -> "f" + i).toArray(String[]::new);
    ExecutorService pool = Footers.pool();
    try {
      begin(List.of(input(0, files), input(1, "g")), pool, 60);
      await().until(() -> lasts() == 1);
    } finally {
      pool.shutdownNow();
    }
    assertThat(planned().stream().map(split -> split.slices().size()))
        .containsExactlyInAnyOrder(12_000, 1);
  }

  /** As Spark packs them: 32 files of up to 4 MiB a split. */
  private static List<TaskInput> smallFiles(int splits) {
    return IntStream.range(0, splits)
        .mapToObj(
            i ->
                input(
                    i,
                    IntStream.range(0, 32).mapToObj(j -> "f" + i + "-" + j).toArray(String[]::new)))
        .toList();
  }

  private static String name(TaskInput.Part part) {
    return part.columns().orElseThrow().file().path().getName();
  }

  private void begin(List<TaskInput> inputs, double deadlineSeconds) {
    begin(inputs, threads, deadlineSeconds);
  }

  private void begin(List<TaskInput> inputs, ExecutorService pool, double deadlineSeconds) {
    var deadline = Duration.ofMillis((long) (deadlineSeconds * 1000));
    var ranges = new TaskRanges(new Footers(this::read, pool, deadline));
    var growing = new GrowingStage(STAGE, inputs, ranges, this::post);
    model.openStage(STAGE, growing::seek);
    growing.seek(model);
  }

  private Footer read(ColumnarFile file) throws IOException {
    String name = file.path().getName();
    reads.incrementAndGet();
    if (name.equals("broken")) {
      throw new IOException("broken");
    }
    if (name.equals("unlinked")) {
      throw new NoClassDefFoundError("org/apache/parquet/Gone");
    }
    try {
      hold(slow.get(name));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return name.equals("rows") ? new Footer.Rows() : new Held(name);
  }

  private static void hold(@Nullable CountDownLatch latch) throws InterruptedException {
    if (latch != null) {
      latch.await();
    }
  }

  /** A footer that counts how many are held for their ranges. */
  private final class Held implements Footer {
    private final String name;

    Held(String name) {
      this.name = name;
      mostHeld.accumulateAndGet(held.incrementAndGet(), Math::max);
    }

    @Override
    public ByteRange tail() {
      return TAIL;
    }

    @Override
    public Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split) {
      try {
        hold(slowRanges.get(name));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      held.decrementAndGet();
      return Optional.of(List.of(TAIL));
    }
  }

  private void post(Function<PlanModel, List<PlanMessage>> change) {
    modelsThread.execute(
        () -> {
          synchronized (messages) {
            messages.addAll(change.apply(model));
          }
        });
  }

  private boolean grows() {
    synchronized (messages) {
      return model.grows(STAGE);
    }
  }

  private List<Split> planned() {
    synchronized (messages) {
      return messages.stream()
          .filter(PlanMessage.PlanStage.class::isInstance)
          .flatMap(m -> ((PlanMessage.PlanStage) m).splits().stream())
          .toList();
    }
  }

  private long lasts() {
    synchronized (messages) {
      return messages.stream()
          .filter(m -> m instanceof PlanMessage.PlanStage plan && plan.last())
          .count();
    }
  }

  static TaskInput input(int partition, String... files) {
    return new TaskInput(partition, List.of(files).stream().map(GrowingStageTest::part).toList());
  }

  private static TaskInput.Part part(String file) {
    return new TaskInput.Part(
        new FileSlice("/in/" + file, new ByteRange(0, 500)),
        Optional.of(
            new TaskInput.Columns(
                new ColumnarFile(new Path("/in/" + file), 1000, 1),
                new ScanColumns(new StructType(), List.of(), false))));
  }

  private static Split exact(int partition, String file, ByteRange range) {
    return new Split(partition, List.of(new FileSlice("/in/" + file, range)), true);
  }
}
