package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StageEnded;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanModelTest {
  private static final StageId STAGE = new StageId("app-1", 3, 0);
  private final PlanModel model = new PlanModel("app-1", "word count");

  @Test
  void saysTheWaveSizeOnlyWhenItChanges() {
    assertThat(model.setWaveSize(4)).containsExactly(new WaveSize("app-1", 4));
    assertThat(model.setWaveSize(4)).isEmpty();
    assertThat(model.setWaveSize(8)).containsExactly(new WaveSize("app-1", 8));
  }

  @Test
  void aStageThatReadsNothingOfOursIsNotMentionedEver() {
    assertThat(model.addStage(STAGE, List.of(new Split(0, List.of())))).isEmpty();
    assertThat(model.endTask(STAGE, 0)).isEmpty();
    assertThat(model.endStage(STAGE)).isEmpty();
  }

  @Test
  void aTaskEndsOnceHoweverOftenItRan() {
    model.addStage(STAGE, splits(2));
    assertThat(model.endTask(STAGE, 1)).containsExactly(new TasksEnded(STAGE, List.of(1)));
    assertThat(model.endTask(STAGE, 1)).isEmpty();
  }

  @Test
  void aTaskWhoseOutputIsLostIsPlannedAgain() {
    model.addStage(STAGE, splits(3));
    model.endTask(STAGE, 0);
    model.endTask(STAGE, 1);
    assertThat(model.resubmitTask(STAGE, 1))
        .containsExactly(new PlanStage(STAGE, splits(3).subList(1, 2), true));
    assertThat(model.resubmitTask(STAGE, 1)).as("it runs already").isEmpty();
    assertThat(planned(model.everything(), STAGE)).isEqualTo(splits(3).subList(1, 3));
    assertThat(model.endTask(STAGE, 1)).containsExactly(new TasksEnded(STAGE, List.of(1)));
    model.endStage(STAGE);
    assertThat(model.resubmitTask(STAGE, 1)).isEmpty();
  }

  @Test
  void largeStagesAreToldInPartsOfWhichOneIsTheLast() {
    var splits = splits(30_000);
    var messages = model.addStage(STAGE, splits);
    assertThat(messages).hasSizeGreaterThan(3);
    var told = new ArrayList<Split>();
    for (int i = 0; i < messages.size(); i++) {
      var part = (PlanStage) messages.get(i);
      told.addAll(part.splits());
      assertThat(part.last()).isEqualTo(i == messages.size() - 1);
    }
    assertThat(told).isEqualTo(splits);
  }

  @Test
  void ofATaskThatReadsVeryManyFilesIsToldWhatAMessageHolds() {
    var more = new StageId("app-1", 4, 0);
    var whole = List.of(many(0, 2, 50), many(1, 20_000, 50), many(2, 20_000, 150), many(3, 2, 50));
    var messages = new ArrayList<PlanMessage>(model.addStage(STAGE, whole));
    model.openStage(more, m -> {});
    messages.addAll(model.growStage(more, whole, true));
    int told = messages.size();
    messages.addAll(model.everything());
    assertThat(messages.stream().filter(PlanStage.class::isInstance)).hasSize(2 * told);
    for (PlanMessage message : messages) {
      Codec.encode(message, 1); // fails when it is too large for a frame
    }
    for (StageId stage : List.of(STAGE, more)) {
      List<Split> planned = planned(messages.subList(0, told), stage);
      assertThat(planned).extracting(Split::partition).containsExactly(0, 1, 2, 3);
      for (int i = 0; i < 4; i++) {
        List<FileSlice> slices = planned.get(i).slices();
        assertThat(whole.get(i).slices()).startsWith(slices.toArray(FileSlice[]::new));
        assertThat(slices)
            .hasSizeGreaterThanOrEqualTo(Math.min(1_500, whole.get(i).slices().size()));
      }
    }
  }

  private static List<Split> planned(List<PlanMessage> messages, StageId stage) {
    return messages.stream()
        .filter(m -> m instanceof PlanStage plan && plan.stage().equals(stage))
        .flatMap(m -> ((PlanStage) m).splits().stream())
        .toList();
  }

  /** A split of whole files with names of so many letters, of which each takes two bytes. */
  private static Split many(int partition, int files, int letters) {
    var range = new ByteRange(0, 100);
    return new Split(
        partition,
        IntStream.range(0, files)
            .mapToObj(i -> new FileSlice("/" + "ä".repeat(letters) + i, range))
            .toList());
  }

  @Test
  void aPartThatFindsNoRoomIsOfferedAgainWithAllBehindItWhenTasksHaveEnded() {
    model.setWaveSize(4);
    var splits = splits(20_000);
    var messages = model.addStage(STAGE, splits);
    var first = (PlanStage) messages.get(0);
    int taken = first.splits().size();
    assertThat(model.refuse((PlanStage) messages.get(1))).isTrue();
    int needed = taken / 8;
    for (int task = 0; task < needed - 2; task++) {
      assertThat(model.endTask(STAGE, task)).containsExactly(new TasksEnded(STAGE, List.of(task)));
    }
    model.endTask(STAGE, 19_999);
    assertThat(model.offer()).as("one has not ended yet").isEmpty();
    model.endTask(STAGE, needed - 2);
    var offers = offers();
    assertThat(planned(offers, STAGE)).isEqualTo(splits.subList(taken, 19_999));
    assertThat(offers).extracting(m -> ((PlanStage) m).last()).containsExactly(false, true);
    model.endTask(STAGE, needed);
    assertThat(model.offer()).as("it has been taken").isEmpty();
    assertThat(planned(model.resubmitTask(STAGE, needed), STAGE))
        .isEqualTo(splits.subList(needed, needed + 1));
    model.refuse((PlanStage) offers.get(1));
    assertThat(model.resubmitTask(STAGE, 0)).as("what was forgotten").isEmpty();
  }

  @Test
  void whatIsRefusedAgainWaitsForAsManyEndsAgain() {
    model.setWaveSize(4);
    var splits = splits(20);
    var whole = (PlanStage) model.addStage(STAGE, splits).get(0);
    assertThat(model.refuse(whole)).isTrue();
    for (int round = 1; round < 4; round++) {
      for (int task = 4 * round - 4; task < 4 * round; task++) {
        assertThat(model.offer()).isEmpty();
        model.endTask(STAGE, task);
      }
      var offer = model.offer().orElseThrow();
      assertThat(offer).isEqualTo(new PlanStage(STAGE, splits.subList(4 * round, 20), true));
      assertThat(model.refuse(offer)).as("the first").isFalse();
    }
    assertThat(planned(model.everything(), STAGE)).isEqualTo(splits.subList(12, 20));
    model.endTask(STAGE, 12);
    assertThat(model.offer()).as("all was offered").isEmpty();
  }

  /** A coordinator that is back has room for a part, of which an eighth is to end, not of all. */
  @Test
  void whatEndedBeforeAllIsReportedAgainIsNotWaitedFor() {
    var splits = splits(1000);
    model.addStage(STAGE, splits);
    for (int task = 0; task < 900; task++) {
      model.endTask(STAGE, task);
    }
    assertThat(planned(model.everything(), STAGE)).isEqualTo(splits.subList(900, 1000));
    model.refuse(new PlanStage(STAGE, splits.subList(932, 1000), true));
    for (int task = 900; task < 903; task++) {
      model.endTask(STAGE, task);
      assertThat(model.offer()).isEmpty();
    }
    model.endTask(STAGE, 903);
    assertThat(planned(offers(), STAGE)).isEqualTo(splits.subList(932, 1000));
  }

  @Test
  void aTaskThatRunsAgainHidesNothingThatWasRefused() {
    model.setWaveSize(4);
    var splits = splits(20);
    model.addStage(STAGE, splits);
    model.refuse(new PlanStage(STAGE, splits.subList(5, 20), true));
    model.endTask(STAGE, 2);
    model.endTask(STAGE, 12);
    var again = model.resubmitTask(STAGE, 2);
    assertThat(planned(again, STAGE)).as("it had been taken").isEqualTo(splits.subList(2, 3));
    assertThat(model.resubmitTask(STAGE, 12)).as("it waits with the others").isEmpty();
    model.endTask(STAGE, 3);
    model.endTask(STAGE, 4);
    assertThat(planned(offers(), STAGE)).isEqualTo(splits.subList(5, 20));
  }

  /** A join: the first stage runs alone, and has all the room. */
  @Test
  void whatEndsOfAnyStageMakesRoomForWhatWasRefused() {
    var next = new StageId("app-1", 4, 0);
    model.setWaveSize(4);
    model.addStage(STAGE, splits(100));
    var parts = model.addStage(next, splits(20_000));
    var first = (PlanStage) parts.get(0);
    model.refuse(first);
    for (int task = 0; task < 4; task++) {
      assertThat(model.offer()).isEmpty();
      model.endTask(STAGE, task);
    }
    assertThat(model.offer()).contains(first);
    model.refuse(first);
    assertThat(model.offer()).as("the others find no room either").isEmpty();
    model.endStage(STAGE);
    assertThat(offers()).isEqualTo(parts);
  }

  /** What is offered again part by part while all of it is taken. */
  private List<PlanMessage> offers() {
    var offers = new ArrayList<PlanMessage>();
    for (var part = model.offer(); part.isPresent(); part = model.offer()) {
      offers.add(part.get());
    }
    return offers;
  }

  @Test
  void aStageGrowsUntilItIsWholeOrOver() {
    model.openStage(STAGE, m -> {});
    assertThat(model.grows(STAGE)).isTrue();
    var splits = splits(3);
    assertThat(model.growStage(STAGE, splits.subList(0, 1), false))
        .containsExactly(new PlanStage(STAGE, splits.subList(0, 1), false));
    model.endTask(STAGE, 1);
    assertThat(model.growStage(STAGE, splits.subList(1, 3), true))
        .as("without the task that has ended")
        .containsExactly(new PlanStage(STAGE, splits.subList(2, 3), true));
    assertThat(model.grows(STAGE)).isFalse();
    assertThat(model.growStage(STAGE, splits, true)).isEmpty();
    assertThat(model.everything())
        .contains(new PlanStage(STAGE, List.of(splits.get(0), splits.get(2)), true));
    model.endStage(STAGE);
    assertThat(model.growStage(STAGE, splits, true)).isEmpty();
  }

  @Test
  void aStageThatIsOverIsSeenToBeThoughItsEndIsNotTold() {
    var runs = new StageId("app-1", 4, 0);
    var over = new AtomicBoolean();
    model.addStage(STAGE, splits(2));
    model.endWhen(STAGE, over::get);
    model.addStage(runs, splits(2));
    model.endWhen(new StageId("app-1", 5, 0), () -> true);
    assertThat(model.overForLong(0)).isEmpty();
    over.set(true);
    long second = 1_000_000_000L;
    assertThat(model.overForLong(5 * second)).as("its events may be under way").isEmpty();
    assertThat(model.overForLong(6 * second - 1)).isEmpty();
    assertThat(model.overForLong(6 * second)).containsExactly(STAGE);
    assertThat(model.overForLong(9 * second)).as("once").isEmpty();
    assertThat(model.endStage(STAGE)).containsExactly(new StageEnded(STAGE));
    assertThat(model.everything().stream().filter(PlanStage.class::isInstance))
        .containsExactly(new PlanStage(runs, splits(2), true));
  }

  @Test
  void aStageThatIsRefusedTakesNoMoreUntilItsSplitsAreTaken() {
    var sought = new AtomicInteger();
    model.setWaveSize(1);
    model.openStage(STAGE, m -> sought.incrementAndGet());
    var splits = splits(4);
    var first = (PlanStage) model.growStage(STAGE, splits.subList(0, 2), false).get(0);
    model.setTaken(true);
    assertThat(sought).as("nothing was refused").hasValue(0);
    model.refuse(first);
    model.setTaken(true);
    assertThat(model.seeks(STAGE)).isFalse();
    assertThat(model.growStage(STAGE, splits.subList(2, 3), false)).isEmpty();
    assertThat(sought).hasValue(0);
    model.endTask(STAGE, 0);
    assertThat(planned(offers(), STAGE)).isEqualTo(splits.subList(1, 3));
    model.setTaken(true);
    model.setTaken(true);
    assertThat(sought).as("once").hasValue(1);
    assertThat(model.seeks(STAGE)).isTrue();
    assertThat(planned(model.growStage(STAGE, splits.subList(3, 4), true), STAGE))
        .isEqualTo(splits.subList(3, 4));
    assertThat(model.seeks(STAGE)).as("all are known").isFalse();
  }

  @Test
  void aNewCoordinatorIsToldAllThatIsStillTrue() {
    var gone = new StageId("app-1", 1, 0);
    model.setWaveSize(4);
    model.addStage(gone, splits(1));
    model.addStage(STAGE, splits(3));
    model.endTask(STAGE, 2);
    model.endTask(STAGE, 0);
    model.endStage(gone);
    assertThat(model.everything())
        .containsExactly(
            new StartApplication("app-1", "word count"),
            new WaveSize("app-1", 4),
            new PlanStage(STAGE, splits(3).subList(1, 2), true));
    assertThat(model.endStage(STAGE)).containsExactly(new StageEnded(STAGE));
    assertThat(model.everything()).hasSize(2);
  }

  @Test
  void tasksAreCountedByWhatTheirExecutorsHave() {
    var waves = new WaveTracker(2);
    waves.added("1", 5);
    waves.added("2", 4);
    assertThat(waves.waveSize()).isEqualTo(4);
    waves.added("1", 8);
    assertThat(waves.waveSize()).isEqualTo(6);
    waves.removed("2");
    waves.removed("never there");
    assertThat(waves.waveSize()).isEqualTo(4);
  }

  private static List<Split> splits(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> new Split(i, List.of(new FileSlice("/in/part", new ByteRange(100L * i, 100)))))
        .toList();
  }
}
