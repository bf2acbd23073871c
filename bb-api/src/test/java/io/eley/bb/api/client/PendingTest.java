package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request that waits, driven as the reader thread drives it. */
@Timeout(60)
class PendingTest {
  private static final ReadBlock REQUEST =
      new ReadBlock(
          new BlockId(new FileVersion("/f", 1 << 20, 1), 0),
          1 << 20,
          100,
          30,
          ReadCause.DEMAND,
          true);

  private final ByteBuffer target = ByteBuffer.allocate(50).position(5);
  private final Pending.Read read = new Pending.Read(REQUEST, target, ArrivalListener.UNNOTICED);

  @Test
  void piecesFillTheTargetFromItsPositionOnAndAreCounted() throws Exception {
    assertThat(piece(100, false, true, 10, List.of(1))).isFalse();
    assertThat(piece(110, false, false, 5, List.of())).isFalse();
    assertThat(read.future()).isNotDone();
    assertThat(piece(115, true, true, 15, List.of(2, 3))).isTrue();
    assertThat(reply()).isEqualTo(new BlockReply(30, 25, List.of(1, 2, 3)));
    assertThat(target.position()).as("the caller's position").isEqualTo(5);
    for (int at = 0; at < 50; at++) {
      assertThat(target.get(at)).as("byte %s", at).isEqualTo((byte) (at >= 5 && at < 35 ? 1 : 0));
    }
  }

  @Test
  void aPieceFromAnotherPlaceOrTooMuchOfItIsRefusedBeforeItIsTaken() throws Exception {
    for (int offset : new int[] {0, 99, 101}) {
      code(ErrorCode.MALFORMED, () -> read.begin(data(offset, true), 1));
    }
    code(ErrorCode.MALFORMED, () -> read.begin(data(100, true), 31));
    piece(100, false, true, 20, List.of());
    code(ErrorCode.MALFORMED, () -> read.begin(data(100, true), 1));
    code(ErrorCode.MALFORMED, () -> read.begin(data(120, true), 11));
    assertThat(piece(120, true, true, 10, List.of())).isTrue();
    assertThat(reply().bytes()).isEqualTo(30);
  }

  /** Else who abandons it, the reader thread itself, would wait for its own end. */
  @Test
  void aPayloadThatFindsNoHeapIsNotWaitedFor() {
    var listener =
        new ArrivalListener() {
          @Override
          public void expect(List<Integer> checksums) {
            throw new OutOfMemoryError("of a test");
          }

          @Override
          public void arrived(int bytes) {}
        };
    var poor = new Pending.Read(REQUEST, target, listener);
    assertThatThrownBy(() -> poor.begin(data(100, true), 10)).isInstanceOf(OutOfMemoryError.class);
    assertThat(poor.untouched()).as("the listener may have heard of it").isFalse();
    var interrupts = new AtomicInteger();
    poor.abandon(interrupts::incrementAndGet);
    assertThat(interrupts).as("nothing is under way").hasValue(0);
  }

  @Test
  void anAnswerThatEndsTooSoonIsNoAnswer() throws Exception {
    assertThat(piece(100, true, true, 29, List.of())).isTrue();
    code(ErrorCode.MALFORMED, this::reply);
  }

  @Test
  void afterAFailureOrAnotherMessageNothingIsAwaited() {
    assertThat(read.answered(new Failure(ErrorCode.DAMAGED, "bad"))).isTrue();
    code(ErrorCode.DAMAGED, this::reply);
    var other = new Pending.Read(REQUEST, target, ArrivalListener.UNNOTICED);
    assertThat(other.answered(new Ok())).isTrue();
    code(ErrorCode.MALFORMED, () -> Await.done(other.future(), Duration.ZERO, "it"));
  }

  @Test
  void whoGivesUpIsGivenNothingMore() throws Exception {
    piece(100, false, true, 10, List.of());
    var interrupts = new AtomicInteger();
    read.abandon(interrupts::incrementAndGet);
    assertThat(interrupts).as("nothing was being written").hasValue(0);
    assertThat(read.begin(data(110, false), 5)).isEmpty();
    code(ErrorCode.MALFORMED, () -> read.begin(data(110, true), 15));
    assertThat(read.begin(data(115, true), 15)).isEmpty();
    assertThat(target.get(15)).isZero();
  }

  @Test
  void whoGivesUpWhileBytesComeWaitsForTheirEndAndKeepsAnInterrupt() throws Exception {
    read.begin(data(100, false), 10);
    var interrupts = new AtomicInteger();
    var flag = new CompletableFuture<Boolean>();
    var giver =
        new Thread(
            () -> {
              read.abandon(interrupts::incrementAndGet);
              flag.complete(Thread.currentThread().isInterrupted());
            });
    giver.start();
    await().until(() -> giver.getState() == Thread.State.WAITING);
    assertThat(interrupts).hasValue(1);
    giver.interrupt();
    await().until(() -> giver.getState() == Thread.State.WAITING && !giver.isInterrupted());
    assertThat(flag).isNotDone();
    read.end();
    giver.join();
    assertThat(flag).isCompletedWithValue(true);
  }

  @Test
  void aCallIsAnsweredByOneMessage() throws Exception {
    var answer = new CompletableFuture<Message>();
    assertThat(new Pending.Call(answer).answered(new Ok())).isTrue();
    assertThat(answer.get()).isEqualTo(new Ok());
    var failed = new CompletableFuture<Message>();
    assertThat(new Pending.Call(failed).answered(new Failure(ErrorCode.NOT_FOUND, "no"))).isTrue();
    code(ErrorCode.NOT_FOUND, () -> Await.done(failed, Duration.ZERO, "it"));
    var ended = new CompletableFuture<Message>();
    new Pending.Call(ended).fail(new EleyException(ErrorCode.UNAVAILABLE, "gone"));
    code(ErrorCode.UNAVAILABLE, () -> Await.done(ended, Duration.ZERO, "it"));
  }

  private boolean piece(int offset, boolean last, boolean arrived, int length, List<Integer> sums)
      throws EleyException {
    var data = new BlockData(offset, last, arrived, sums);
    ByteBuffer into = read.begin(data, length).orElseThrow();
    assertThat(into.remaining()).isEqualTo(length);
    while (into.hasRemaining()) {
      into.put((byte) 1);
    }
    read.end();
    return read.filled(data, length);
  }

  private BlockReply reply() throws EleyException {
    return Await.done(read.future(), Duration.ZERO, "the read");
  }

  private static BlockData data(int offset, boolean last) {
    return new BlockData(offset, last, true, List.of());
  }

  private static void code(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
