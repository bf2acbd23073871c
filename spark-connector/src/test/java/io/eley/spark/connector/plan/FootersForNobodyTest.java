package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The driver reads footers for a coordinator that makes use of the plan, and for no other. */
@Timeout(120)
class FootersForNobodyTest {
  private static final StageId STAGE = new StageId("app-1", 1, 0);
  private static final int FILES = 100;

  @TempDir private Path temp;
  private final AtomicInteger reads = new AtomicInteger();

  @Test
  void whereNothingIsPrefetchedNoFooterIsRead() throws Exception {
    try (var coordinator = coordinator(m -> PlanSenderTest.withRoom(m, BufferMode.NAIVE_BB));
        PlanSender sender = PlanSenderTest.sender(coordinator.directory(), Duration.ZERO)) {
      plan(sender, coordinator);
      assertThat(reads).hasValue(0);
      sender.post(model -> model.endTask(STAGE, 0));
      sender.post(model -> model.setWaveSize(2));
      await().until(() -> coordinator.requests().contains(new WaveSize("app-1", 2)));
      assertThat(reads).hasValue(0);
    }
  }

  @Test
  void whereThePlanIsUsedAllAreRead() throws Exception {
    try (var coordinator = coordinator(PlanSenderTest::withRoom);
        PlanSender sender = PlanSenderTest.sender(coordinator.directory(), Duration.ZERO)) {
      plan(sender, coordinator);
      await().until(() -> planned(coordinator) == FILES);
      assertThat(reads).hasValue(FILES);
    }
  }

  @Test
  void whereThereIsNoRoomForThePlanTheyAreReadWhenThereIs() throws Exception {
    var room = new AtomicBoolean();
    Function<Message, Optional<Message>> answers =
        m ->
            m instanceof StartApplication && room.get()
                ? Optional.of(new Ok())
                : PlanSenderTest.withoutRoom(m);
    try (var coordinator = coordinator(answers);
        PlanSender sender = PlanSenderTest.sender(coordinator.directory(), Duration.ZERO)) {
      plan(sender, coordinator);
      assertThat(reads).hasValue(0);
      room.set(true);
      await().until(() -> planned(coordinator) == FILES);
      assertThat(reads).hasValue(FILES);
    }
  }

  private FakeCoordinator coordinator(Function<Message, Optional<Message>> answers)
      throws Exception {
    return new FakeCoordinator(temp.resolve("deployment"), answers);
  }

  /** Begins a stage, and waits until the coordinator has heard what comes behind it. */
  private void plan(PlanSender sender, FakeCoordinator coordinator) {
    var ranges = new TaskRanges(new Footers(this::read, Runnable::run, Duration.ofMinutes(1)));
    var inputs = IntStream.range(0, FILES).mapToObj(FootersForNobodyTest::input).toList();
    sender.post(
        model -> {
          var growing = new GrowingStage(STAGE, inputs, ranges, sender::post);
          model.openStage(STAGE, growing::seek);
          growing.seek(model);
          return List.of();
        });
    sender.post(model -> model.setWaveSize(1));
    await().until(() -> coordinator.requests().contains(new WaveSize("app-1", 1)));
  }

  private Footer read(ColumnarFile file) {
    reads.incrementAndGet();
    return new Footer.Tail(new ByteRange(file.length() - 10, 10));
  }

  private static int planned(FakeCoordinator coordinator) {
    return coordinator.requests().stream()
        .filter(PlanMessage.PlanStage.class::isInstance)
        .mapToInt(m -> ((PlanMessage.PlanStage) m).splits().size())
        .sum();
  }

  private static TaskInput input(int partition) {
    String file = "/in/" + partition;
    var columns =
        new TaskInput.Columns(
            new ColumnarFile(new org.apache.hadoop.fs.Path(file), 1000, 1),
            new ScanColumns(new StructType(), List.of(), false));
    return new TaskInput(
        partition,
        List.of(
            new TaskInput.Part(new FileSlice(file, new ByteRange(0, 500)), Optional.of(columns))));
  }
}
