package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WrappedCommandTest {
  @TempDir private Path temp;

  @Test
  void itsExitCodeIsOurs() throws Exception {
    var command = WrappedCommand.start(List.of("sh", "-c", "exit 7"));
    assertThat(command.await()).isEqualTo(7);
  }

  @Test
  void aCommandThatIsNotThereIsSaid() {
    assertThatThrownBy(() -> WrappedCommand.start(List.of(temp + "/none")))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot run " + temp + "/none: No such file or directory");
  }

  @Test
  void termReachesTheCommandWhichMayTidyUp() throws Exception {
    Path ready = temp.resolve("ready");
    Path tidied = temp.resolve("tidied");
    var command =
        WrappedCommand.start(
            List.of(
                "sh",
                "-c",
                "trap 'touch "
                    + tidied
                    + "; exit 3' TERM; touch "
                    + ready
                    + "; while :; do sleep 0.05; done"));
    var code = CompletableFuture.supplyAsync(() -> code(command));
    await().until(() -> Files.exists(ready));
    command.close();
    assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(3);
    assertThat(tidied).exists();
  }

  /** A command that does not end on TERM before it has written what it has to. */
  private static final class Stubborn extends Process {
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger terms = new AtomicInteger();
    private final AtomicInteger kills = new AtomicInteger();

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream getInputStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public InputStream getErrorStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public int waitFor() throws InterruptedException {
      over.await();
      return 0;
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) {
      return false; // So long has passed.
    }

    @Override
    public int exitValue() {
      return 0;
    }

    @Override
    public void destroy() {
      terms.incrementAndGet();
    }

    @Override
    public Process destroyForcibly() {
      kills.incrementAndGet();
      return this;
    }
  }

  @Test
  void aPhasesCommandMayTakeAsLongAsItNeedsAfterTerm() throws Exception {
    var process = new Stubborn();
    var command = new WrappedCommand(process);
    var ended = CompletableFuture.runAsync(command::passTermOn);
    await().until(() -> process.terms.get() == 1);
    assertThat(ended).isNotDone();
    process.over.countDown();
    ended.get(30, TimeUnit.SECONDS);
    assertThat(process.kills).hasValue(0);
    command.close();
    assertThat(process.kills).as("of a job's buffer, which has to end").hasValue(1);
  }

  private static int code(WrappedCommand command) {
    try {
      return command.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
