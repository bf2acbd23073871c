package io.eley.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.cli.render.TypedDeployment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Size;
import org.jline.terminal.impl.ExternalTerminal;
import org.jline.utils.InfoCmp.Capability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveTerminalTest {
  /** Each full last line would take the first line of the picture away. */
  @Test
  void whatIsSaidBelowThePictureLeavesItsLastColumnFree() throws Exception {
    var out = new ByteArrayOutputStream();
    try (var terminal =
        new ExternalTerminal("test", "ansi", new PipedInputStream(), out, StandardCharsets.UTF_8)) {
      terminal.setSize(new Size(20, 10));
      LiveTerminal.say(terminal, "x".repeat(19));
      LiveTerminal.say(terminal, "y".repeat(20));
    }
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("x".repeat(19), "y".repeat(18) + "…")
        .doesNotContain("y".repeat(19));
  }

  /** Where `docker exec -t` or a serial console has no size. */
  @Test
  void whatIsSaidIsSeenWhereTheWidthIsNotKnown() throws Exception {
    var out = new ByteArrayOutputStream();
    try (var terminal =
        new ExternalTerminal("test", "ansi", new PipedInputStream(), out, StandardCharsets.UTF_8)) {
      terminal.setSize(new Size(0, 0));
      LiveTerminal.say(terminal, "no coordinator runs there now");
    }
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("no coordinator runs there now");
  }

  /** As a signal it ends the JVM before the cursor is back. */
  @Test
  void controlCIsAKey() throws Exception {
    var keys = new PipedOutputStream();
    var out = new ByteArrayOutputStream();
    try (var terminal =
        new ExternalTerminal(
            "test", "ansi", new PipedInputStream(keys), out, StandardCharsets.UTF_8)) {
      var before = LiveTerminal.enterKeys(terminal);
      keys.write(3);
      keys.flush();
      assertThat(terminal.reader().read(30_000)).isEqualTo(3);
      terminal.setAttributes(before);
    }
  }

  /** The shell has its screen again. */
  @Test
  void whoLeavesReadsNothingOfTheStreamsEnd(@TempDir Path directory) throws Exception {
    var files = new DeploymentFiles(directory);
    var server = LiveStreamTest.onceAndThenSilent();
    var keys = new PipedOutputStream();
    var out = new ByteArrayOutputStream();
    try (var terminal =
        new ExternalTerminal(
            "test", "xterm", new PipedInputStream(keys), out, StandardCharsets.UTF_8)) {
      LiveStreamTest.serves(server.getAddress().getPort(), files);
      terminal.setSize(new Size(80, 24));
      terminal.puts(Capability.exit_ca_mode);
      terminal.flush();
      String left = out.toString(StandardCharsets.UTF_8);
      assertThat(left).isNotEmpty();
      var top = new LiveTerminal(terminal, TypedDeployment.USUAL);
      var shown = CompletableFuture.supplyAsync(() -> show(top, files));
      await().until(() -> out.toString(StandardCharsets.UTF_8).contains("/mnt/pfs"));
      keys.write('q');
      keys.flush();
      assertThat(shown.get(60, TimeUnit.SECONDS)).isTrue();
      await().until(LiveTerminalTest::noStreamIsFollowed);
      assertThat(out.toString(StandardCharsets.UTF_8))
          .endsWith(left)
          .doesNotContain("interrupted", "waiting for it");
    } finally {
      server.stop(0);
    }
  }

  private static boolean noStreamIsFollowed() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().equals("eley-top"));
  }

  private static boolean show(LiveTerminal top, DeploymentFiles files) {
    try {
      top.show(files);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
