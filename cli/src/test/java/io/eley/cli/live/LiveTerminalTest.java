package io.eley.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import org.jline.terminal.Size;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;

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
}
