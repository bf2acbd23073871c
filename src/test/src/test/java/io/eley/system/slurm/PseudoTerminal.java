package io.eley.system.slurm;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A command on a terminal of its own, which util-linux' {@code script} makes: it has a session,
 * what is typed is echoed, and Ctrl-C becomes a signal to whoever is in the foreground. For one
 * thread.
 */
final class PseudoTerminal implements AutoCloseable {
  /** What the key sends. */
  static final String CTRL_C = "\u0003";

  private final Process script;
  private final OutputStream keys;
  private final Path shown;

  /**
   * Starts a command.
   *
   * @param as a command that runs another one as the user
   * @param command a line of the shell
   * @param shown a file that is to have what the terminal shows
   */
  PseudoTerminal(List<String> as, Map<String, String> environment, String command, Path shown)
      throws IOException {
    this.shown = shown;
    var whole = new ArrayList<>(as);
    whole.addAll(List.of("script", "--quiet", "--flush", "--return", "--command", command));
    whole.add("/dev/null");
    var builder =
        new ProcessBuilder(whole).redirectErrorStream(true).redirectOutput(shown.toFile());
    builder.environment().putAll(environment);
    script = builder.start();
    keys = script.getOutputStream();
  }

  void type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  /** All that it has shown so far. */
  String shown() throws IOException {
    return Files.readString(shown).replace("\r\n", "\n");
  }

  /** Waits for the command's end; its exit code. */
  int status() throws IOException, InterruptedException {
    if (!script.waitFor(SlurmCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("the terminal stays open: " + shown());
    }
    return script.exitValue();
  }

  @Override
  public void close() {
    script.destroy();
  }
}
