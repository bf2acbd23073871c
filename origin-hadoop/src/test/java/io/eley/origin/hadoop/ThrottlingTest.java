package io.eley.origin.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThrottlingTest {
  @Test
  void whatIsNewIsToldTwiceAMinuteAtMost() {
    var count = new AtomicLong();
    var seconds = new AtomicLong(7);
    var throttling = new Throttling("s3a://b/", count::get, () -> seconds.get() * 1_000_000_000L);

    assertThat(throttling.look()).isFalse();
    count.set(3);
    assertThat(throttling.look()).isTrue();
    count.set(4);
    seconds.addAndGet(29);
    assertThat(throttling.look()).isFalse();
    seconds.addAndGet(1);
    assertThat(throttling.look()).isTrue();
    seconds.addAndGet(60);
    assertThat(throttling.look()).isFalse();
  }
}
