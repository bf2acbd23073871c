package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.client.StartedRead;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NextFillTest {
  private static final int ROUNDS = 5_000;

  private final FillBuffers buffers = new FillBuffers(16, 4);
  private final AtomicInteger drops = new AtomicInteger();
  private boolean fails;
  private final NextFill next = new NextFill((at, target) -> new Fake(target), buffers);

  /** A read of four bytes that a node was asked for. */
  private final class Fake implements StartedRead {
    private final ByteBuffer target;

    Fake(ByteBuffer target) {
      this.target = target;
    }

    @Override
    public boolean underWay() {
      return true;
    }

    @Override
    public int await() throws EleyException {
      if (fails) {
        throw new EleyException(ErrorCode.NOT_FOUND, "gone");
      }
      target.putInt(7);
      return 4;
    }

    @Override
    public void drop(Runnable action) {
      drops.incrementAndGet();
      action.run();
    }
  }

  @Test
  void whatWasAskedForIsReadFromWhereItWasAskedFor() throws Exception {
    assertThat(next.isAt(0)).isFalse();
    next.start(5);
    assertThat(next.isAt(5)).isTrue();
    assertThat(next.isAt(6)).isFalse();
    FillBuffers.Lent taken = next.take();
    assertThat(taken.buffer().remaining()).isEqualTo(4);
    assertThat(next.isAt(5)).isFalse();
    assertThat(buffers.take().buffer()).as("it was not given back").isNotSameAs(taken.buffer());
  }

  @Test
  void aFailureGivesTheBufferBack() throws Exception {
    FillBuffers.Lent known = buffers.take();
    known.give();
    fails = true;
    next.start(0);
    assertThatThrownBy(next::take).hasMessage("gone");
    assertThat(buffers.take().buffer()).isSameAs(known.buffer());
  }

  @Test
  void ofTwoThreadsThatDropOneDoes() throws Exception {
    var round = new AtomicInteger();
    var done = new AtomicInteger();
    var other = CompletableFuture.runAsync(() -> dropInEach(round, done));
    for (int i = 1; i <= ROUNDS; i++) {
      next.start(i);
      round.set(i);
      next.drop();
      await(done, i);
    }
    other.get();
    assertThat(drops).hasValue(ROUNDS);
  }

  private void dropInEach(AtomicInteger round, AtomicInteger done) {
    for (int i = 1; i <= ROUNDS; i++) {
      await(round, i);
      next.drop();
      done.set(i);
    }
  }

  /** Without sleeping, so that both drop at once. */
  private static void await(AtomicInteger counter, int number) {
    while (counter.get() < number) {
      Thread.onSpinWait();
    }
  }
}
