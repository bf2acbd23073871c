package io.eley.bb.server.net;

import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("its leak is seen by every class that runs beside it")
class LeakCheckTest {
  @Test
  void aBufferThatIsNotReleasedIsReported() {
    var reports = new LeakCheck.Reports();
    reports.listen();
    try {
      forget();
      await()
          .untilAsserted(
              () -> {
                LeakCheck.provoke();
                org.assertj.core.api.Assertions.assertThat(reports.seen())
                    .anyMatch(line -> line.startsWith("LEAK"));
              });
    } finally {
      reports.silence();
    }
  }

  /** In a frame of its own, so that nothing holds the buffer afterwards. */
  private static void forget() {
    ByteBufAllocator.DEFAULT.directBuffer(16).writeInt(1);
  }
}
