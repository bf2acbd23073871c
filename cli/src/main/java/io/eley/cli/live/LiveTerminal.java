package io.eley.cli.live;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.cli.render.LiveText;
import io.eley.cli.render.TypedDeployment;
import io.eley.coordinator.live.LiveDocument;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jline.utils.InfoCmp.Capability;
import org.jspecify.annotations.Nullable;

/**
 * The person's terminal: each document is drawn over the last one, at the size that the window has
 * then, until {@code q} or ctrl-C. A thread follows the stream; the caller's reads the keys. What a
 * frame contains of others' names has no control characters.
 */
public final class LiveTerminal implements AutoCloseable {
  private static final long LOOK_MILLIS = 200;
  private static final long AGAIN_MILLIS = 2000;
  private static final int USUAL_WIDTH = 80;

  private final Terminal terminal;
  private final TypedDeployment typed;
  private @Nullable LiveDocument last;
  private int drawnWidth;
  private int drawnHeight;
  private boolean left;

  LiveTerminal(Terminal terminal, TypedDeployment typed) {
    this.terminal = terminal;
    this.typed = typed;
  }

  /**
   * The terminal that standard output goes to; {@link #dumb} when it goes to none.
   *
   * @param typed how the deployment was named
   */
  public static LiveTerminal open(TypedDeployment typed) throws IOException {
    return new LiveTerminal(
        TerminalBuilder.builder()
            .system(true)
            .systemOutput(SystemOutput.SysOut)
            .provider("exec")
            .dumb(true)
            .build(),
        typed);
  }

  /** Whether nothing can be drawn over there. */
  public boolean dumb() {
    return terminal.getType().startsWith(Terminal.TYPE_DUMB);
  }

  /** Shows a deployment until the person ends it; a coordinator that is gone is waited for. */
  public void show(DeploymentFiles files) throws IOException {
    var before = enterKeys(terminal);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
    var stream = new Thread(() -> follow(files), "eley-top");
    stream.setDaemon(true);
    stream.start();
    try {
      for (int key = 0; key != 'q' && key != 3 && key != -1; ) {
        key = terminal.reader().read(LOOK_MILLIS);
        redrawIfResized();
      }
    } finally {
      leave();
      stream.interrupt(); // Not before: asking for the size fails in an interrupted thread.
      terminal.puts(Capability.cursor_visible);
      terminal.puts(Capability.exit_ca_mode);
      terminal.setAttributes(before);
      terminal.flush();
    }
  }

  /**
   * Each key is one to be read, ctrl-C, too: as a signal it would end the JVM at once, and leave
   * the person without a cursor.
   *
   * @return what the terminal was before
   */
  static Attributes enterKeys(Terminal terminal) {
    Attributes before = terminal.enterRawMode();
    Attributes keys = terminal.getAttributes();
    keys.setLocalFlag(LocalFlag.ISIG, false);
    terminal.setAttributes(keys);
    return before;
  }

  private void follow(DeploymentFiles files) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          LiveStream.of(files).follow(this::draw);
        } catch (IOException e) {
          say(e.getMessage() + ": waiting for it (q ends this)");
        }
        TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for what is being written; nothing is from then on: the screen is the shell's again. */
  private synchronized void leave() {
    left = true;
  }

  private synchronized void redrawIfResized() {
    LiveDocument known = last;
    if (known != null
        && (terminal.getWidth() != drawnWidth || terminal.getHeight() != drawnHeight)) {
      terminal.puts(Capability.clear_screen);
      draw(known);
    }
  }

  private synchronized void draw(LiveDocument document) {
    if (left) {
      return;
    }
    last = document;
    drawnWidth = terminal.getWidth();
    drawnHeight = terminal.getHeight();
    // The last line stays free: a full last line would scroll.
    var screen = new LiveText.Screen(Math.max(40, drawnWidth), Math.max(10, drawnHeight - 1), true);
    put(LiveText.frame(document, screen, typed));
  }

  private synchronized void say(String text) {
    if (!left) {
      say(terminal, text);
    }
  }

  /** In the last line, which is never full: it would scroll the picture away. */
  static void say(Terminal terminal, String text) {
    terminal.puts(Capability.cursor_address, Math.max(0, terminal.getHeight() - 1), 0);
    terminal.puts(Capability.clr_eol);
    // A serial console, or what `docker exec -t` makes, does not say how wide it is.
    int width = terminal.getWidth() > 0 ? terminal.getWidth() : USUAL_WIDTH;
    terminal.writer().print(new LiveText.Screen(width - 1, 0, false).cut(text));
    terminal.flush();
  }

  private void put(List<String> lines) {
    terminal.puts(Capability.cursor_home);
    for (String line : lines) {
      terminal.writer().print(line);
      terminal.puts(Capability.clr_eol);
      terminal.writer().print("\r\n");
    }
    terminal.puts(Capability.clr_eos);
    terminal.flush();
  }

  @Override
  public void close() throws IOException {
    terminal.close();
  }
}
