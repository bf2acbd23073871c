package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stage of four hundred columnar files, and a coordinator that has room for a hundred of them.
 */
@Timeout(120)
class SlidingPlanTest {
  private static final StageId STAGE = new StageId("app-1", 3, 0);
  private static final int FILES = 400;
  private static final int ROOM = 100;
  private static final int AHEAD = 64;

  @TempDir private Path temp;
  private final Set<Integer> running = new ConcurrentSkipListSet<>();
  private final List<Integer> planned = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();

  private Optional<Message> answer(Message message) {
    if (message instanceof GetView) {
      var geometry = new BlockGeometry(1 << 20, 1 << 20);
      return Optional.of(
          new View(new ClusterView(1, geometry, BufferMode.FULL_DELAY, List.of()), "/origin"));
    }
    if (message instanceof TasksEnded ended) {
      running.removeAll(ended.partitions());
    }
    return Optional.of(
        message instanceof PlanStage plan && !plan.splits().stream().allMatch(this::add)
            ? new Failure(ErrorCode.NO_SPACE, "no room")
            : new Ok());
  }

  private boolean add(Split split) {
    if (running.contains(split.partition())) {
      return true;
    }
    if (running.size() == ROOM) {
      refusals.incrementAndGet();
      return false;
    }
    running.add(split.partition());
    planned.add(split.partition());
    return true;
  }

  @Test
  void aStageOfAnySizeSlidesThroughAPlanThatHasRoomForAPart() throws Exception {
    var threads = Executors.newFixedThreadPool(4);
    try (var coordinator = new FakeCoordinator(temp.resolve("small"), this::answer);
        PlanSender sender = sender(coordinator.directory())) {
      var footers = new Footers(this::read, threads, Duration.ofMinutes(1));
      var inputs =
          IntStream.range(0, FILES).mapToObj(i -> GrowingStageTest.input(i, "f" + i)).toList();
      var growing = new GrowingStage(STAGE, inputs, new TaskRanges(footers), sender::post);
      sender.post(model -> model.setWaveSize(8));
      sender.post(
          model -> {
            model.openStage(STAGE, growing::seek);
            growing.seek(model);
            return List.of();
          });
      for (int task = 0; task < FILES; task++) {
        int next = task;
        await().pollInterval(Duration.ofMillis(2)).until(() -> planned.contains(next));
        assertThat(reads.get())
            .as("nobody reads footers for what has no room")
            .isLessThanOrEqualTo(task + ROOM + 2 * AHEAD);
        sender.post(new PlanQueue.TaskEnd(STAGE, task));
      }
      assertThat(planned).isEqualTo(IntStream.range(0, FILES).boxed().toList());
      assertThat(refusals).hasValueGreaterThan(0);
    } finally {
      threads.shutdownNow();
    }
  }

  private Footer read(ColumnarFile file) {
    reads.incrementAndGet();
    return new Footer() {
      @Override
      public ByteRange tail() {
        return GrowingStageTest.TAIL;
      }

      @Override
      public Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split) {
        return Optional.of(List.of(tail()));
      }
    };
  }

  private static PlanSender sender(Path directory) throws Exception {
    var settings = Settings.of(Map.of("eley.deployment", directory.toString()));
    return PlanSender.start(
        CoordinatorClient.open(ClientOptions.from(settings)), new PlanModel("app-1", "scan"));
  }
}
