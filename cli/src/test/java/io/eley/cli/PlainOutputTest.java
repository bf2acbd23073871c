package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.status.Status;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Logs and terminals show names and errors of others; none of them becomes a line of ours. */
class PlainOutputTest {
  private static final String FORGED =
      "x\n2026-11-22T00:00:00.000Z INFO  [main] io.eley.Forged said\u001b[2J\u202e\r";

  @Test
  void aLogLineBeginsWhereAnEventDoesAndNowhereElse() throws Exception {
    var cause = new IllegalStateException(FORGED, new java.io.IOException(FORGED));
    String text = logged(FORGED, cause);
    assertThat(text.lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("  | "));
    assertThat(text).contains("x\\x0a2026-11-22").doesNotContain("\u001b", "\u202e", "\r");
    assertThat(logged(FORGED, null).lines()).hasSize(1);
  }

  private static String logged(String message, @org.jspecify.annotations.Nullable Throwable cause)
      throws Exception {
    var context = new LoggerContext();
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Objects.requireNonNull(Main.class.getResource("/logback.xml")));
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .as("what it would print at each start")
        .noneMatch(status -> status.getEffectiveLevel() > Status.INFO);
    var logger = context.getLogger("ROOT");
    var appender = (ConsoleAppender<ILoggingEvent>) logger.getAppender("STDERR");
    var event = new LoggingEvent("here", logger, Level.ERROR, message, cause, new Object[0]);
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void aTerminalGetsPlainTextWithOurOwnLinesOnly() {
    var bytes = new ByteArrayOutputStream();
    var out = PlainWriter.on(new PrintStream(bytes, false, Charset.defaultCharset()));
    out.printf("%s\t%s%n", "\u001b]0;title\u0007", "file\u202e");
    out.write('\u009b');
    out.write(new char[] {'a', '\r'}, 0, 2);
    out.flush();
    assertThat(bytes.toString(Charset.defaultCharset()))
        .isEqualTo("\\x1b]0;title\\x07\tfile\\u202e\n\\x9ba\\x0d");
  }

  /** Picocli colours by itself where standard output is a terminal, or it is told so. */
  @Test
  void helpHasNoColoursWhichATerminalWouldGetAsText() {
    System.setProperty("picocli.ansi", "true");
    try {
      for (String[] typed : new String[][] {{"--help"}, {"status", "--help"}, {"stats"}}) {
        Eley help = Eley.run(typed);
        assertThat(help.out() + help.err()).contains("eley").doesNotContain("\u001b");
      }
    } finally {
      System.clearProperty("picocli.ansi");
    }
  }

  @Test
  void aPrinterKnowsThatItsStreamTakesNoMore() {
    var full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    var out = PlainWriter.on(new PrintStream(full, false, Charset.defaultCharset()));
    assertThat(out.checkError()).as("nothing was to be written").isFalse();
    out.println("status");
    assertThat(out.checkError()).isTrue();
  }

  @Test
  void anErrorThatQuotesLinesDoesNotBeginOneAtTheMargin() {
    var bytes = new ByteArrayOutputStream();
    CommandLine command =
        Main.commandLine()
            .setErr(PlainWriter.on(new PrintStream(bytes, false, Charset.defaultCharset())));
    var error = new EleyException(ErrorCode.NOT_FOUND, "no file /a\neley: all is well");
    assertThat(ErrorLine.failed(error, command, command.parseArgs())).isEqualTo(1);
    assertThat(bytes.toString(Charset.defaultCharset()))
        .isEqualTo("eley: no file /a\n  eley: all is well\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "\u001b[2J", "a\u202eb", " "})
  void aPhaseOfSuchANameIsAUsageError(String name) {
    for (String verb : new String[] {"begin", "end"}) {
      var eley = Eley.run("phase", verb, "--app", name, "--deployment", "/no/such");
      assertThat(eley.code()).isEqualTo(2);
      assertThat(eley.err()).startsWith("eley: --app: an application's name ");
    }
  }
}
