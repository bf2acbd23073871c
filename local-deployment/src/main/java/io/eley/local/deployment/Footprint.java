package io.eley.local.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What tells one process from every other that has or had its number: when it started, on which
 * boot of which machine, and by which command. The start is in ticks since the boot, because
 * whoever computes a time of day from it gets another one whenever the clock is set.
 *
 * @param start ticks and boot; "-" when they could not be read
 * @param command digest of the arguments that it was started with
 */
record Footprint(String start, String command) {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final int START_FIELD = 19; // 22nd of proc(5)'s stat, counted behind the name
  private static final String ZOMBIE = "Z";
  private static final int EXEC_MILLIS = 100;
  private static final Proc PROC =
      (pid, file) -> Files.readAllBytes(Path.of("/proc", Long.toString(pid), file));

  /** Of a process that runs; of one that does not, one that is of no process. */
  static Footprint of(long pid) {
    return new Footprint(
        startOf(pid).orElse("-"), argumentsOf(pid, PROC).map(Footprint::digestOf).orElse(""));
  }

  /** As it stands in a file: one line. */
  String text() {
    return start + " " + command;
  }

  /** What {@link #text} has made; of anything else one that is of no process. */
  static Footprint parse(String text) {
    int space = text.lastIndexOf(' ');
    return space < 0
        ? new Footprint("-", "")
        : new Footprint(text.substring(0, space), text.substring(space + 1));
  }

  /** Reads a process's file in {@code /proc}. */
  interface Proc {
    byte[] read(long pid, String file) throws IOException;
  }

  /**
   * Whether a process is the one: both its start and its command are. Blocks for a moment, {@value
   * #EXEC_MILLIS} ms at most, while the process becomes the program that it was told to be.
   */
  boolean isOf(long pid) {
    return isOf(pid, PROC, Duration.ofMillis(EXEC_MILLIS));
  }

  /** The same in another {@code /proc}, and for so long at most. */
  boolean isOf(long pid, Proc proc, Duration most) {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      Optional<List<String>> stat = statOf(pid, proc);
      if (stat.flatMap(Footprint::startIn).filter(start::equals).isEmpty()) {
        return false;
      }
      Optional<byte[]> arguments = argumentsOf(pid, proc);
      boolean becoming =
          arguments.filter(a -> a.length == 0).isPresent() && !ZOMBIE.equals(stat.get().get(0));
      if (!becoming || System.nanoTime() - end > 0) {
        return arguments.map(Footprint::digestOf).filter(command::equals).isPresent();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Ticks from boot to the start, and the boot's random name. */
  static Optional<String> startOf(long pid) {
    return statOf(pid, PROC).flatMap(Footprint::startIn);
  }

  /** Of proc(5)'s stat the fields behind the name; the first is the state. */
  private static Optional<List<String>> statOf(long pid, Proc proc) {
    try {
      String stat = new String(proc.read(pid, "stat"), StandardCharsets.ISO_8859_1);
      return Optional.of(List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)));
    } catch (IOException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> startIn(List<String> stat) {
    try {
      return Optional.of(stat.get(START_FIELD) + "@" + Files.readString(BOOT).strip());
    } catch (IOException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** Empty ones between the moment that execve(2) gives up the old program and its end. */
  private static Optional<byte[]> argumentsOf(long pid, Proc proc) {
    try {
      return Optional.of(proc.read(pid, "cmdline"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static String digestOf(byte[] arguments) {
    return digest(withoutSetsid(arguments));
  }

  /** Before setsid(1) has become the command that it was given, it stands in front of it. */
  private static byte[] withoutSetsid(byte[] arguments) {
    byte[] setsid = (ChildProcess.SETSID + "\0").getBytes(StandardCharsets.UTF_8);
    boolean wrapped =
        arguments.length >= setsid.length
            && MessageDigest.isEqual(setsid, java.util.Arrays.copyOf(arguments, setsid.length));
    return wrapped
        ? java.util.Arrays.copyOfRange(arguments, setsid.length, arguments.length)
        : arguments;
  }

  /** Of arguments as {@code /proc/PID/cmdline} shows them: each ends with a zero byte. */
  static String digest(List<String> command) {
    return digest((String.join("\0", command) + "\0").getBytes(StandardCharsets.UTF_8));
  }

  private static String digest(byte[] arguments) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(arguments));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
