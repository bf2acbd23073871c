package io.eley.local.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

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

  /** Of a process that runs; of one that does not, one that is of no process. */
  static Footprint of(long pid) {
    return new Footprint(startOf(pid).orElse("-"), commandOf(pid).orElse(""));
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

  /** Whether a process is the one: both its start and its command are. */
  boolean isOf(long pid) {
    return startOf(pid).filter(start::equals).isPresent()
        && commandOf(pid).filter(command::equals).isPresent();
  }

  /** Ticks from boot to the start, and the boot's random name. */
  static Optional<String> startOf(long pid) {
    try {
      String stat = Files.readString(proc(pid, "stat"), StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return Optional.of(fields[START_FIELD] + "@" + Files.readString(BOOT).strip());
    } catch (IOException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> commandOf(long pid) {
    try {
      return Optional.of(digest(withoutSetsid(Files.readAllBytes(proc(pid, "cmdline")))));
    } catch (IOException e) {
      return Optional.empty();
    }
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

  private static Path proc(long pid, String file) {
    return Path.of("/proc", Long.toString(pid), file);
  }
}
