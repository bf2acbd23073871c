package io.eley.bb.api.origin;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * The file descriptors that are left to this process. Java tells a call that failed for lack of one
 * from other failures by text only, so whoever has met a failure asks here.
 */
public final class Descriptors {
  private static final Path ALWAYS_THERE = Path.of("/dev/null");
  private static final Path OPEN = Path.of("/proc/self/fd");
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String MOST = "Max open files";

  /** Others may have closed some since the failure, so few left count as none. */
  private static final long FEW = 16;

  /** Of the whole process, as its descriptors are. */
  private static final Shortage SHORTAGE =
      new Shortage(System.getLogger(Descriptors.class.getName()), "files can be opened again");

  private Descriptors() {}

  /**
   * Whether this process has hardly any left, asked when a file could not be opened; said in the
   * log once. A few system calls; any thread.
   */
  public static boolean noteScarce() {
    boolean scarce = scarce();
    if (scarce) {
      SHORTAGE.noteRefused("out of descriptors: files cannot be opened until some are closed");
    }
    return scarce;
  }

  /** Notes that a file could be opened. Cheap; any thread. */
  public static void noteOpened() {
    SHORTAGE.noteGiven();
  }

  /**
   * How many this process may have; where that cannot be found out for want of one, hardly any. A
   * few system calls; any thread.
   */
  public static long most() {
    try {
      return limit();
    } catch (NoSuchFileException e) {
      return Long.MAX_VALUE; // another system than Linux
    } catch (IOException e) {
      return FEW;
    }
  }

  /** Whether this process has hardly any left. A few system calls; any thread. */
  static boolean scarce() {
    try (var probe = FileChannel.open(ALWAYS_THERE, StandardOpenOption.READ)) {
      return probe.isOpen() && few();
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean few() {
    try (Stream<Path> open = Files.list(OPEN)) {
      return limit() - open.count() <= FEW;
    } catch (NoSuchFileException e) {
      return false; // another system than Linux
    } catch (IOException e) {
      return true; // Counting them takes one.
    }
  }

  private static long limit() throws IOException {
    for (String line : Files.readAllLines(LIMITS)) {
      if (line.startsWith(MOST)) {
        String soft = line.substring(MOST.length()).strip().split(" ", -1)[0];
        return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
      }
    }
    return Long.MAX_VALUE;
  }
}
