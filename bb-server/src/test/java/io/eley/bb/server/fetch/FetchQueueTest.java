package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.fetch.FetchQueue.Turn;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which fetch moves next; one thread, which asks only when there is something. */
class FetchQueueTest {
  private static final int CHUNK = 4096;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(4 * CHUNK, CHUNK);
  private static final FileVersion FILE = new FileVersion("/a", 1 << 20, 1);

  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1 << 20, 2, System::nanoTime);
  private final FetchQueue queue = new FetchQueue(gate, CHUNK, 1);

  @BeforeEach
  void permit() {
    gate.apply(new Permit(1, Lane.OPEN, Lane.OPEN, Duration.ofHours(1), "test"));
  }

  private static BlockId id(int index) {
    return new BlockId(FILE, index);
  }

  private FetchJob enroll(int index, ReadCause cause) throws EleyException {
    return enroll(index, cause, new Want.Whole());
  }

  private FetchJob enroll(int index, ReadCause cause, Want want) throws EleyException {
    return enroll(queue, index, cause, want);
  }

  private static FetchJob enroll(FetchQueue to, int index, ReadCause cause, Want want)
      throws EleyException {
    return to.enroll(
        id(index),
        cause,
        want,
        () -> new FetchJob(id(index), cause, new WantedPages(GEOMETRY, id(0))));
  }

  private Turn take() {
    return Objects.requireNonNull(queue.take());
  }

  /** The index of the next block, which is over at once. */
  private int next() {
    Turn turn = take();
    queue.finish(turn);
    return turn.job().id.index();
  }

  @Test
  void demandGoesBeforeReadAheadAndThatBeforePrefetch() throws EleyException {
    enroll(1, ReadCause.PREFETCH);
    enroll(2, ReadCause.READ_AHEAD);
    enroll(3, ReadCause.DEMAND);
    enroll(4, ReadCause.PREFETCH);
    enroll(5, ReadCause.DEMAND);
    assertThat(queue.waiting()).isEqualTo(5);
    assertThat(List.of(next(), next(), next(), next(), next())).containsExactly(3, 5, 2, 1, 4);
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void demandGoesFirstWhereMorePrefetchesThanUsualAreUnderWay() throws EleyException {
    var catchingUp = new PermitGate(Duration.ofHours(1), 1 << 20, 2, () -> 0);
    var lane = new Lane(Lane.UNLIMITED, 3);
    catchingUp.apply(new Permit(1, lane, Lane.OPEN, Duration.ofHours(1), "test"));
    for (int i = 1; i < 3; i++) { // so that three may be under way at once
      assertThat(catchingUp.tryEnter(ReadCause.PREFETCH, CHUNK)).isTrue();
      catchingUp.leave(ReadCause.PREFETCH, CHUNK);
    }
    var other = new FetchQueue(catchingUp, CHUNK, 3);
    for (int i = 1; i <= 4; i++) {
      enroll(other, i, ReadCause.PREFETCH, new Want.Whole());
    }
    Turn first = Objects.requireNonNull(other.take());
    other.take();
    other.take();
    enroll(other, 5, ReadCause.DEMAND, new Want.Whole());
    other.finish(first);
    assertThat(Objects.requireNonNull(other.take()).job().id).isEqualTo(id(5));
  }

  @Test
  void aFetchThatIsGivenBackKeepsItsPlace() throws EleyException {
    enroll(1, ReadCause.PREFETCH);
    enroll(2, ReadCause.PREFETCH);
    Turn first = take();
    assertThat(queue.waiting()).isEqualTo(1);
    assertThat(queue.giveBack(first)).isEqualTo(FetchQueue.Next.GOES_ON);
    assertThat(queue.waiting()).isEqualTo(2);
    assertThat(List.of(next(), next())).containsExactly(1, 2);
  }

  @Test
  void askingAgainIsTheSameFetchAndALowerCauseChangesNothing() throws EleyException {
    FetchJob job = enroll(1, ReadCause.DEMAND);
    enroll(2, ReadCause.DEMAND);
    assertThat(enroll(1, ReadCause.DEMAND)).isSameAs(job);
    assertThat(enroll(1, ReadCause.PREFETCH)).isSameAs(job);
    enroll(1, ReadCause.READ_AHEAD);
    assertThat(job.cause).isEqualTo(ReadCause.DEMAND);
    assertThat(queue.waiting()).isEqualTo(2);
    assertThat(List.of(next(), next())).containsExactly(1, 2);
  }

  @Test
  void aFetchThatRunsIsPromotedForItsNextChunk() throws EleyException {
    enroll(1, ReadCause.PREFETCH);
    Turn running = take();
    enroll(2, ReadCause.PREFETCH);
    enroll(1, ReadCause.DEMAND, new Want.Bytes(3 * CHUNK, 1, 0));
    assertThat(queue.waiting()).as("its thread has it").isEqualTo(1);
    queue.giveBack(running);
    Turn again = take();
    assertThat(again.job().id).isEqualTo(id(1));
    assertThat(again.cause()).isEqualTo(ReadCause.DEMAND);
    assertThat(again.job().wanted.next(new BitSet(), 1))
        .as("the wanted chunk first")
        .containsExactly(new WantedPages.Piece(3 * CHUNK, CHUNK));
  }

  @Test
  void aChunkThatIsOverMakesRoomInTheLaneItEntered() throws EleyException {
    enroll(1, ReadCause.PREFETCH);
    enroll(2, ReadCause.PREFETCH);
    Turn one = take();
    Turn other = take();
    assertThat(gate.nanosUntilOpen(ReadCause.DEMAND)).as("two at once").isPositive();
    queue.giveBack(one);
    assertThat(gate.nanosUntilOpen(ReadCause.DEMAND)).isZero();
    queue.finish(other);
    assertThat(take().job().id).isEqualTo(id(1));
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void aPrefetchThatNobodyHasBegunIsCancelledWithoutATrace() throws EleyException {
    enroll(1, ReadCause.PREFETCH);
    enroll(2, ReadCause.DEMAND);
    queue.cancel(List.of(id(1), id(2), id(3)));
    assertThat(queue.waiting()).isEqualTo(1);
    assertThat(next()).isEqualTo(2);
    assertThat(queue.close()).isEmpty();
  }

  @Test
  void anOrderIsTakenBackFromAFetchThatATaskWantsToo() throws EleyException {
    FetchJob both = enroll(1, ReadCause.PREFETCH);
    enroll(1, ReadCause.DEMAND, new Want.Bytes(0, 1, 0));
    FetchJob ordered = enroll(2, ReadCause.PREFETCH);
    queue.cancel(List.of(id(1)));
    assertThat(queue.waiting()).isEqualTo(2);
    assertThat(both.wanted.ordered()).isFalse();
    assertThat(ordered.wanted.ordered()).isTrue();
    queue.disown();
    assertThat(ordered.wanted.ordered()).isFalse();
    enroll(2, ReadCause.PREFETCH);
    assertThat(ordered.wanted.ordered()).as("it is ordered again").isTrue();
  }

  @Test
  void aPrefetchThatHasBegunIsCleanedUpFirstWithoutAPermit() throws EleyException {
    enroll(1, ReadCause.PREFETCH);
    enroll(2, ReadCause.DEMAND);
    queue.finish(take());
    queue.giveBack(take());
    gate.apply(new Permit(2, Lane.CLOSED, Lane.CLOSED, Duration.ofHours(1), "test"));
    queue.cancel(List.of(id(1)));
    queue.cancel(List.of(id(1)));
    assertThat(queue.waiting()).isZero();
    Turn end = take();
    assertThat(end.kind()).isEqualTo(Turn.Kind.END);
    assertThat(end.job().id).isEqualTo(id(1));
    assertThat(enroll(1, ReadCause.PREFETCH)).as("a new one").isNotSameAs(end.job());
  }

  @Test
  void aRunningPrefetchIsCleanedUpWhenItsChunkIsOver() throws EleyException {
    enroll(1, ReadCause.PREFETCH);
    Turn running = take();
    queue.cancel(List.of(id(1)));
    queue.giveBack(running);
    assertThat(queue.waiting()).isZero();
    assertThat(take().kind()).isEqualTo(Turn.Kind.END);
  }

  @Test
  void aCancelledFetchThatIsWantedAgainGoesOn() throws EleyException {
    enroll(1, ReadCause.PREFETCH);
    queue.giveBack(take());
    queue.cancel(List.of(id(1)));
    enroll(1, ReadCause.PREFETCH);
    assertThat(queue.waiting()).isEqualTo(1);
    Turn again = take();
    assertThat(again.kind()).isEqualTo(Turn.Kind.MOVE);
    queue.giveBack(again);
    assertThat(queue.waiting()).as("not cancelled any more").isEqualTo(1);
  }

  @Test
  void aFetchThatIsDiscardedIsForgottenUnlessAThreadHasIt() throws EleyException {
    FetchJob waiting = enroll(1, ReadCause.DEMAND);
    assertThat(queue.discard(waiting)).isTrue();
    assertThat(queue.discard(waiting)).as("it is over").isFalse();
    assertThat(queue.waiting()).isZero();
    assertThat(enroll(1, ReadCause.DEMAND)).isNotSameAs(waiting);
    FetchJob running = take().job();
    assertThat(queue.discard(running)).isFalse();
    assertThat(enroll(1, ReadCause.DEMAND)).isSameAs(running);
  }

  @Test
  void aCancelledFetchThatIsDiscardedIsNotCleanedUpTwice() throws EleyException {
    FetchJob job = enroll(1, ReadCause.PREFETCH);
    queue.giveBack(take());
    queue.cancel(List.of(id(1)));
    assertThat(queue.discard(job)).isTrue();
    enroll(2, ReadCause.PREFETCH);
    assertThat(take().job().id).isEqualTo(id(2));
  }

  @Test
  void closingReturnsWhatNoThreadRunsAndRefusesTheRest() throws EleyException {
    FetchJob left = enroll(1, ReadCause.PREFETCH);
    enroll(2, ReadCause.DEMAND);
    Turn running = take();
    assertThat(queue.close()).containsExactly(left);
    assertThat(queue.waiting()).isZero();
    assertThat(queue.take()).isNull();
    assertThat(queue.giveBack(running)).isEqualTo(FetchQueue.Next.CLOSED);
    assertThatThrownBy(() -> enroll(3, ReadCause.DEMAND))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    assertThat(gate.nanosUntilOpen(ReadCause.DEMAND)).as("its chunk is over").isZero();
  }
}
