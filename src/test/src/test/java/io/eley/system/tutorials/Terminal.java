package io.eley.system.tutorials;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A shell of one user that stays open: what one command exports or changes into holds for the next.
 * For one thread; reads are made by another, so that a command which never ends is noticed.
 */
public final class Terminal implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 250;

  /** Behind each command's output; the command's status follows. */
  private static final String MARK = "end-of-command:";

  private final Process shell;
  private final BufferedWriter input;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /**
   * @param as a command that runs another one as the user
   * @param home where it begins
   */
  public Terminal(List<String> as, File home, Map<String, String> environment) throws IOException {
    var command = new ArrayList<>(as);
    command.addAll(List.of("bash", "--norc", "--noprofile"));
    var builder = new ProcessBuilder(command).directory(home).redirectErrorStream(true);
    builder.environment().putAll(environment);
    shell = builder.start();
    input = shell.outputWriter();
    var reader = new Thread(this::read, "terminal");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader output = shell.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("the shell is gone: " + e);
    }
  }

  /**
   * Runs a command, of one line or several, to its end.
   *
   * @return what it printed, on either stream
   */
  public List<String> run(String command) throws IOException, InterruptedException {
    lines.clear(); // what a command in the background has said meanwhile
    input.write(command + "\necho\necho " + MARK + "$?\n");
    input.flush();
    var printed = new ArrayList<String>();
    while (true) {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        throw new IllegalStateException(command + " does not end; so far: " + printed);
      }
      if (line.startsWith(MARK)) {
        printed.remove(printed.size() - 1); // the line before the mark is ours
        return printed;
      }
      printed.add(line);
    }
  }

  /** Ends what the user left in the background, too. */
  @Override
  public void close() throws IOException {
    input.write("jobs=$(jobs -p); [ -z \"$jobs\" ] || { kill $jobs; wait; }; exit\n");
    input.close();
    try {
      if (!shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        shell.destroyForcibly();
      }
    } catch (InterruptedException e) {
      shell.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
