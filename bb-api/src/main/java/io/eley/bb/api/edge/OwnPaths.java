package io.eley.bb.api.edge;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Opens what this process's user alone can have written. Whoever can write into a deployment
 * directory decides whom we send our secret's proof to, which processes we end and what we delete;
 * so a directory, and each file that is read from it, is checked up to the root of the file system
 * first. Linux only, like everything that uses a deployment directory.
 *
 * <p>Any thread may call; each call blocks for a few system calls. Every check throws {@code
 * EleyException} with {@code ACCESS_DENIED} and one line that names the path, its owner and its
 * mode; a file that is not there is a {@link NoSuchFileException}.
 */
public final class OwnPaths {
  private static final Path STATUS = Path.of("/proc/self/status");

  private OwnPaths() {}

  /** Requires an existing directory of this user or root that nobody else can write to. */
  public static void requireDirectory(Path directory) throws IOException {
    rule().requireDirectory(directory);
  }

  /**
   * Requires a directory like {@link #requireDirectory}, or none yet in a place where only this
   * user can make it.
   */
  public static void requireDirectoryOrPlace(Path directory) throws IOException {
    var rule = rule();
    try {
      rule.requireDirectory(directory);
    } catch (NoSuchFileException e) {
      rule.requireParents(directory);
    }
  }

  /**
   * Requires that nobody else can exchange what is at a path, there or not yet; what it is itself
   * is for the caller to check.
   */
  public static void requireParents(Path path) throws IOException {
    rule().requireParents(path);
  }

  /** Requires a regular file of this user's in such a directory. */
  public static void requireFile(Path file) throws IOException {
    rule().requireFile(file, false);
  }

  /** Reads a regular file of this user's in such a directory. */
  public static String read(Path file) throws IOException {
    rule().requireFile(file, false);
    return text(file);
  }

  /** Reads a file like {@link #read} that nobody else can read either. */
  public static String readPrivate(Path file) throws IOException {
    rule().requireFile(file, true);
    return text(file);
  }

  /** Reads a file of this user's or root's that nobody else can write, up to so many bytes. */
  public static String readOfSite(Path file, int most) throws IOException {
    rule().requireSiteFile(file);
    return text(file, most);
  }

  /**
   * Reads a file like {@link #readOfSite}, or one beside the code that runs, which may be of the
   * code's owner: a software account's, or a colleague's.
   *
   * @param code the directory that the code is in
   */
  public static String readOfInstallation(Path file, Path code, int most) throws IOException {
    rule().requireSiteFile(file, code);
    return text(file, most);
  }

  /**
   * Reads a file that another user has made for us in a directory that is open and sticky, up to so
   * many bytes. It is that user's alone to read, no link, and has no other name.
   */
  public static String readSecretOf(int owner, Path file, int most) throws IOException {
    rule().requireSecretOf(owner, file);
    if (!Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS).equals(1)) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, file + " has several names");
    }
    return text(file, most);
  }

  /**
   * The number of the user with whose rights this process works on files.
   *
   * @throws IOException when the system does not tell
   */
  public static int user() throws IOException {
    for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
      if (line.startsWith("Uid:")) {
        String[] numbers = line.split("\\s+", -1);
        return Integer.parseUnsignedInt(numbers[4]); // real, effective, saved, file system's
      }
    }
    throw new IOException(STATUS + " does not tell this process's user");
  }

  private static PathRule rule() throws IOException {
    return new PathRule(FileView.ofThisMachine(), user());
  }

  /** Opened without following a link, though none can appear in a directory that was checked. */
  private static String text(Path file) throws IOException {
    return text(file, Integer.MAX_VALUE);
  }

  private static String text(Path file, int most) throws IOException {
    try (var in = Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      return new String(in.readNBytes(most), StandardCharsets.UTF_8);
    }
  }
}
