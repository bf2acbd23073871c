package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GuardedFileTest {
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(20);

  private Path path;
  private HangingOrigin mount;
  private Origin origin;
  private FileVersion version;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    path = Files.write(temp.resolve("a"), new byte[] {0, 1, 2, 3});
    mount = new HangingOrigin(temp);
    origin = mount.open();
    version = origin.stat("/a").version();
  }

  @AfterEach
  void stop() {
    mount.thaw();
  }

  @Test
  void aFileIsClosedOnceAThreadIsFreeThoughAllHungWhenItShouldHaveBeen() throws Exception {
    try (var guard = new GuardedOrigin("test", 1, DEADLINE)) {
      var file = open(guard);
      mount.freeze();
      code(ErrorCode.ORIGIN_HUNG, () -> guard.call("open", () -> origin.open("/a")));
      file.close();
      assertThat(mount.closed).hasValue(0);
      mount.thaw();
      await().until(() -> mount.closed.get() == 1 && guard.hungCalls() == 0);
    }
  }

  @Test
  void aFileWhoseReadHasFailedIsClosedAtOnce() throws Exception {
    try (var guard = new GuardedOrigin("test", 1, LONG)) {
      var file = open(guard);
      var bad = new EleyException(ErrorCode.ORIGIN_FAILED, "a bad sector");
      assertThatThrownBy(
              () ->
                  file.call(
                      "read",
                      opened -> {
                        throw bad;
                      }))
          .isSameAs(bad);
      file.close();
      assertThat(mount.closed).hasValue(1);
    }
  }

  @Test
  void aFileOfAnotherVersionIsRefusedAndClosed() throws Exception {
    Files.write(path, new byte[5]);
    FileVersion now = origin.stat("/a").version();
    try (var guard = new GuardedOrigin("test", 1, LONG)) {
      code(ErrorCode.STALE_VERSION, () -> open(guard)).hasMessageContaining(now.toString());
      assertThat(mount.closed).hasValue(1);
    }
  }

  @Test
  void itReadsAndTellsWhetherTheFileHasChanged() throws Exception {
    try (var guard = new GuardedOrigin("test", 1, LONG)) {
      var file = open(guard);
      var target = ByteBuffer.allocate(2);
      assertThat(file.read(1, target, ReadCause.PREFETCH)).isEqualTo(2);
      assertThat(target.array()).containsExactly(1, 2);
      assertThat(file.readsAtOnce()).isFalse();
      file.requireUnchanged(version);
      Files.write(path, new byte[5]);
      code(ErrorCode.STALE_VERSION, () -> file.requireUnchanged(version));
      file.close();
      assertThat(mount.closed).hasValue(1);
      file.close();
      assertThat(mount.closed).as("closed twice").hasValue(1);
      code(ErrorCode.UNAVAILABLE, () -> file.read(0, target.clear(), ReadCause.PREFETCH))
          .hasMessageContaining("closed: /a");
    }
  }

  @Test
  void aFileThatIsOpenedOrReadTooLateIsClosedByTheCallThatHung() throws Exception {
    try (var guard = new GuardedOrigin("test", 2, DEADLINE)) {
      var file = open(guard);
      mount.freeze();
      code(ErrorCode.ORIGIN_HUNG, () -> read(file));
      file.close();
      code(ErrorCode.ORIGIN_HUNG, () -> open(guard));
      assertThat(mount.closed).hasValue(0);
      mount.thaw();
      await().until(() -> mount.closed.get() == 2 && guard.hungCalls() == 0);
      assertThat(mount.opened).hasValue(2);
    }
  }

  @Test
  void ofSeveralReadsThatHangTheLastOneClosesTheFileAndNoFurtherOneBegins() throws Exception {
    try (var guard = new GuardedOrigin("test", 3, LONG)) {
      var file = open(guard);
      mount.freeze();
      var first = CompletableFuture.supplyAsync(() -> unchecked(file));
      var second = CompletableFuture.supplyAsync(() -> unchecked(file));
      await().until(() -> mount.reads.get() == 2);
      file.close();
      code(ErrorCode.UNAVAILABLE, () -> read(file));
      assertThat(mount.closed).hasValue(0);
      mount.thaw();
      assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(1);
      await().until(() -> mount.closed.get() > 0);
      assertThat(mount.closed).hasValue(1);
    }
  }

  @Test
  void aFileIsClosedByAThreadThatIsInterruptedAndBehindItsGuard() throws Exception {
    var guard = new GuardedOrigin("test", 1, LONG);
    var file = open(guard);
    var other = open(guard);
    Thread.currentThread().interrupt();
    file.close();
    assertThat(Thread.interrupted()).isTrue();
    await().until(() -> mount.closed.get() == 1);
    guard.close();
    other.close();
    assertThat(mount.closed).hasValue(2);
  }

  private GuardedFile open(GuardedOrigin guard) throws EleyException {
    return GuardedFile.open(guard, version, () -> origin.open(version));
  }

  private static int read(GuardedFile file) throws EleyException {
    return file.read(0, ByteBuffer.allocate(1), ReadCause.PREFETCH);
  }

  private static int unchecked(GuardedFile file) {
    try {
      return read(file);
    } catch (EleyException e) {
      throw new IllegalStateException(e);
    }
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> code(
      ErrorCode code, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
