package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.test.fixtures.FakeOrigin;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GuardedFileTest {
  private final FakeOrigin origin = new FakeOrigin();
  private final CountDownLatch serverIsBack = new CountDownLatch(1);

  @Test
  void aFileIsClosedOnceAThreadIsFreeThoughAllHungWhenItShouldHaveBeen() throws Exception {
    FileVersion version = origin.put("/a", 4096, 1);
    try (var guard = new GuardedOrigin("test", 1, Duration.ofMillis(500))) {
      var file = GuardedFile.open(guard, origin, version);
      assertThatThrownBy(() -> guard.call("stat", this::hang)).isInstanceOf(EleyException.class);
      file.close();
      assertThat(origin.closes).hasValue(0);
      serverIsBack.countDown();
      await().until(() -> origin.closes.get() == 1 && guard.hungCalls() == 0);
    }
  }

  @Test
  void aFileWhoseReadHasFailedIsClosedAtOnce() throws Exception {
    FileVersion version = origin.put("/a", 4096, 1);
    origin.beforeRead =
        (n, read) -> {
          throw new EleyException(ErrorCode.ORIGIN_FAILED, "a bad sector");
        };
    try (var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(20))) {
      var file = GuardedFile.open(guard, origin, version);
      assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1), ReadCause.PREFETCH))
          .hasMessageContaining("a bad sector");
      file.close();
      assertThat(origin.closes).hasValue(1);
    }
  }

  @Test
  void aFileOfAnotherVersionIsRefusedAndClosed() {
    FileVersion old = origin.put("/a", 4096, 1);
    FileVersion now = origin.put("/a", 4096, 2);
    try (var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(20))) {
      assertThatThrownBy(() -> GuardedFile.open(guard, origin, old))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION))
          .hasMessageContaining(now.toString());
      assertThat(origin.closes).hasValue(1);
    }
  }

  @Test
  void itReadsAndTellsWhetherTheFileHasChanged() throws Exception {
    FileVersion version = origin.put("/a", 4096, 1);
    try (var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(20))) {
      var file = GuardedFile.open(guard, origin, version);
      var target = ByteBuffer.allocate(100);
      assertThat(file.read(50, target, ReadCause.PREFETCH)).isEqualTo(100);
      assertThat(target.array()).isEqualTo(origin.bytes("/a", 50, 100));
      file.requireUnchanged(version);
      origin.put("/a", 4096, 2);
      assertThatThrownBy(() -> file.requireUnchanged(version))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION));
      file.close();
      assertThat(origin.closes).hasValue(1);
      file.close();
      assertThat(origin.closes).as("closed twice").hasValue(1);
      assertThatThrownBy(() -> file.read(0, target.clear(), ReadCause.PREFETCH))
          .hasMessageContaining("closed: /a");
    }
  }

  @Test
  void aFileThatIsOpenedOrReadTooLateIsClosedByTheCallThatHung() throws Exception {
    FileVersion version = origin.put("/a", 4096, 1);
    try (var guard = new GuardedOrigin("test", 2, Duration.ofMillis(500))) {
      var file = GuardedFile.open(guard, origin, version);
      origin.freeze();
      try {
        assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1), ReadCause.PREFETCH))
            .isInstanceOf(EleyException.class);
        file.close();
        assertThatThrownBy(() -> GuardedFile.open(guard, origin, version))
            .isInstanceOf(EleyException.class);
        assertThat(origin.closes).hasValue(0);
      } finally {
        origin.thaw();
      }
      await().until(() -> origin.closes.get() == 2 && guard.hungCalls() == 0);
    }
  }

  private boolean hang() {
    try {
      serverIsBack.await();
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
