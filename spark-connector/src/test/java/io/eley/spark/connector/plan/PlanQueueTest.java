package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StageEnded;
import io.eley.bb.api.wire.PlanMessage.TaskRead;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for the thread that reports: bounded, and nothing is lost that nobody tells again. */
@Timeout(60)
class PlanQueueTest {
  private static final StageId STAGE = new StageId("app-1", 3, 0);
  private static final StageId OTHER = new StageId("app-1", 4, 0);
  private static final FileSlice SLICE = new FileSlice("/in", new ByteRange(0, 100));

  private final PlanQueue queue = new PlanQueue();
  private final PlanModel model = new PlanModel("app-1", "sort");

  private static TaskRead read(int slices) {
    return new TaskRead(STAGE, 0, Collections.nCopies(slices, SLICE), 0);
  }

  /** The messages of each change that waits. */
  private List<List<PlanMessage>> rest() throws InterruptedException {
    var rest = new ArrayList<List<PlanMessage>>();
    for (var next = queue.take(Duration.ZERO); next != null; next = queue.take(Duration.ZERO)) {
      rest.add(next.apply(model));
    }
    assertThat(queue.isEmpty()).isTrue();
    return rest;
  }

  @Test
  void endsOfAStagesTasksAreOneChangeBehindItsBeginningAndBeforeItsEnd() throws Exception {
    queue.add(m -> m.addStage(STAGE, List.of(new Split(0, List.of(SLICE)))));
    queue.add(m -> m.addStage(OTHER, List.of(new Split(0, List.of(SLICE)))));
    for (int i = 0; i < 100_000; i++) {
      queue.add(new PlanQueue.TaskEnd(STAGE, i));
      queue.add(new PlanQueue.TaskEnd(OTHER, i % 2));
    }
    queue.add(m -> m.endStage(STAGE));
    var split = List.of(new Split(0, List.of(SLICE)));
    assertThat(rest())
        .containsExactly(
            List.of(new PlanStage(STAGE, split, true)),
            List.of(new PlanStage(OTHER, split, true)),
            List.of(new TasksEnded(STAGE, IntStream.range(0, 100_000).boxed().toList())),
            List.of(new TasksEnded(OTHER, List.of(0, 1))),
            List.of(new StageEnded(STAGE)));
  }

  @Test
  void anEndThatComesWhenTheOthersAreTakenIsAChangeOfItsOwn() throws Exception {
    model.addStage(STAGE, List.of(new Split(0, List.of(SLICE))));
    queue.add(new PlanQueue.TaskEnd(STAGE, 0));
    assertThat(rest()).containsExactly(List.of(new TasksEnded(STAGE, List.of(0))));
    queue.add(new PlanQueue.TaskEnd(STAGE, 0));
    queue.add(new PlanQueue.TaskEnd(STAGE, 7));
    assertThat(rest()).containsExactly(List.of(new TasksEnded(STAGE, List.of(7))));
  }

  @Test
  void aTaskThatEndsRunsAgainAndEndsHasEnded() throws Exception {
    var split = List.of(new Split(0, List.of(SLICE)));
    model.addStage(STAGE, split);
    queue.add(new PlanQueue.TaskEnd(STAGE, 0));
    queue.add(new PlanQueue.TaskAgain(STAGE, 0));
    queue.add(new PlanQueue.TaskEnd(STAGE, 0));
    var ended = new TasksEnded(STAGE, List.of(0));
    assertThat(rest())
        .containsExactly(
            List.of(ended), List.of(new PlanStage(STAGE, split, true)), List.of(ended));
  }

  @Test
  void whatTasksHaveReadGoesBehindAllElse() throws Exception {
    queue.add(new PlanQueue.Read(read(1)));
    queue.add(m -> m.setWaveSize(5));
    assertThat(rest())
        .containsExactly(
            List.of(new PlanMessage.WaveSize("app-1", 5)), List.<PlanMessage>of(read(1)));
  }

  @Test
  void ofWhatTasksHaveReadSomeMegabytesWaitHoweverLargeEachIs() throws Exception {
    for (int i = 0; i < 200_000; i++) {
      queue.add(new PlanQueue.Read(read(0)));
    }
    assertThat(rest()).as("reports without ranges, of 128 bytes").hasSize(131_072);
    var large = read(20_000);
    for (int i = 0; i < 1_000; i++) {
      queue.add(new PlanQueue.Read(large));
    }
    assertThat(rest()).hasSize((16 << 20) / (128 + 20_000 * (128 + 3)));
    queue.add(new PlanQueue.Read(large));
    assertThat(rest()).as("there is room again").hasSize(1);
  }

  @Test
  void nothingWaitsForAThreadThatHasEnded() throws Exception {
    queue.add(new PlanQueue.TaskEnd(STAGE, 0));
    queue.add(new PlanQueue.Read(read(1)));
    queue.close();
    assertThat(queue.isEmpty()).isTrue();
    queue.add(new PlanQueue.TaskEnd(STAGE, 1));
    queue.add(new PlanQueue.Read(read(1)));
    queue.add(m -> m.setWaveSize(5));
    assertThat(rest()).isEmpty();
  }

  @Test
  void whoeverWaitsIsWokenByAChange() throws Exception {
    var taken =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                var change = queue.take(Duration.ofSeconds(50));
                return change == null ? List.<PlanMessage>of() : change.apply(model);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    queue.add(m -> m.setWaveSize(5));
    assertThat(taken.get()).containsExactly(new PlanMessage.WaveSize("app-1", 5));
    assertThat(queue.take(Duration.ofMillis(1))).isNull();
  }
}
