package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WrappedCommandTest {
  @TempDir private Path temp;
  private final AtomicInteger afterwards = new AtomicInteger();

  @Test
  void itsExitCodeIsOurs() throws Exception {
    var command = WrappedCommand.start(List.of("sh", "-c", "exit 7"));
    assertThat(command.await(afterwards::incrementAndGet)).isEqualTo(7);
    assertThat(afterwards).as("the caller goes on and does it").hasValue(0);
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

  private int code(WrappedCommand command) {
    try {
      return command.await(afterwards::incrementAndGet);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
