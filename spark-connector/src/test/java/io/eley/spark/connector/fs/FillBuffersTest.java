package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class FillBuffersTest {
  private final FillBuffers buffers = new FillBuffers(16, 2);

  @Test
  void aBufferThatWasGivenBackIsLentAgainAndEmpty() {
    FillBuffers.Lent first = buffers.take();
    first.buffer().putInt(7);
    first.give();
    assertThat(buffers.take().buffer())
        .isSameAs(first.buffer())
        .extracting("position")
        .isEqualTo(0);
    assertThat(buffers.take().buffer()).isNotSameAs(first.buffer());
  }

  @Test
  void noMoreAreKeptThanItWasTold() {
    var three = new FillBuffers.Lent[] {buffers.take(), buffers.take(), buffers.take()};
    for (FillBuffers.Lent lent : three) {
      lent.give();
    }
    assertThat(buffers.take().buffer()).isSameAs(three[1].buffer());
    assertThat(buffers.take().buffer()).isSameAs(three[0].buffer());
    assertThat(buffers.take().buffer()).isNotSameAs(three[2].buffer());
  }

  @Test
  void whatTwoThreadsGiveBackIsLentToOneStreamAlone() throws Exception {
    for (int i = 0; i < 1000; i++) {
      FillBuffers.Lent lent = buffers.take();
      var both = new CyclicBarrier(2);
      var other = CompletableFuture.runAsync(() -> give(both, lent));
      give(both, lent);
      other.get();
      FillBuffers.Lent one = buffers.take();
      FillBuffers.Lent two = buffers.take();
      assertThat(two.buffer()).isNotSameAs(one.buffer());
      one.give();
      two.give();
    }
  }

  private static void give(CyclicBarrier both, FillBuffers.Lent lent) {
    try {
      both.await();
    } catch (InterruptedException | java.util.concurrent.BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
    lent.give();
  }
}
