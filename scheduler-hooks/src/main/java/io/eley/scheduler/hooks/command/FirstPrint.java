package io.eley.scheduler.hooks.command;

import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program that prints repeatedly for ever, and takes its first print: what comes until it
 * pauses. Then it is killed. For one thread at a time; blocks.
 */
public final class FirstPrint {
  private static final int MOST_OUTPUT = 16 << 20;
  private static final byte[] END = new byte[0];

  private final Duration deadline;
  private final Duration silence;

  /**
   * What a program printed first.
   *
   * @param text the print
   * @param age how long ago it began
   */
  public record Print(String text, Duration age) {}

  /**
   * A runner with limits.
   *
   * @param deadline for the whole print
   * @param silence a pause of this length ends the print
   */
  public FirstPrint(Duration deadline, Duration silence) {
    this.deadline = deadline;
    this.silence = silence;
  }

  /**
   * The first print of a new process.
   *
   * @throws SignalException absent when there is no such program; failed when it prints nothing in
   *     time
   */
  public Print of(List<String> command) throws SignalException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw NoProgram.named(command.get(0), e);
    }
    try {
      return collect(process, command.get(0));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private Print collect(Process process, String name) throws SignalException, InterruptedException {
    var pieces = new LinkedBlockingQueue<byte[]>();
    var reader = new Thread(() -> read(process.getInputStream(), pieces), "eley-command-output");
    reader.setDaemon(true);
    reader.start();
    long end = System.nanoTime() + deadline.toNanos();
    var text = new StringBuilder();
    long began = System.nanoTime();
    while (true) {
      long left = end - System.nanoTime();
      long wait = text.isEmpty() ? left : Math.min(left, silence.toNanos());
      byte[] piece = pieces.poll(Math.max(0, wait), TimeUnit.NANOSECONDS);
      if (piece == null && text.isEmpty()) {
        throw SignalException.failed(
            name + " printed nothing within " + deadline.toMillis() + " ms");
      }
      if (piece == null || piece.length == 0 || text.length() > MOST_OUTPUT) {
        return new Print(text.toString(), Duration.ofNanos(System.nanoTime() - began));
      }
      began = text.isEmpty() ? System.nanoTime() : began;
      text.append(new String(piece, StandardCharsets.ISO_8859_1));
    }
  }

  private static void read(InputStream in, LinkedBlockingQueue<byte[]> pieces) {
    byte[] buffer = new byte[1 << 16];
    try (in) {
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        pieces.add(java.util.Arrays.copyOf(buffer, n));
      }
    } catch (IOException e) {
      // The process was killed: the text so far is all there is.
    }
    pieces.add(END);
  }
}
