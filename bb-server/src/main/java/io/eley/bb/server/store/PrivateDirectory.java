package io.eley.bb.server.store;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.edge.ProcessLock;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory of mode 0700 that this process alone uses, by a lock on the file {@code lock} in it.
 * One that holds anything else, or belongs to somebody else, is refused.
 *
 * <p>Safe for several threads; the calls do a little file I/O.
 */
public final class PrivateDirectory implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final String LOCK = "lock";

  private final Path path;
  private final String what;
  private final ProcessLock lock;
  private final @Nullable Object lockKey;

  private PrivateDirectory(Path path, String what, ProcessLock lock) throws IOException {
    this.path = path;
    this.what = what;
    this.lock = lock;
    lockKey = keyOf(path.resolve(LOCK));
  }

  /** Device and inode: while the lock is held no other file has that. */
  private static @Nullable Object keyOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  /**
   * Whether it is the directory that was locked: false when somebody has for sure removed it, or
   * the lock in it, or put another one in its place.
   */
  public boolean isStillThere() {
    try {
      return Objects.equals(keyOf(path.resolve(LOCK)), lockKey);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      return true; // that may pass
    }
  }

  /**
   * Makes the directory when it is missing, and locks it.
   *
   * @param what it is, for people
   * @throws EleyException {@code UNAVAILABLE} when another process has it; {@code ACCESS_DENIED}
   *     when it cannot be used; each in one line for the user
   */
  public static PrivateDirectory open(Path directory, String what) throws EleyException {
    Path path = directory.toAbsolutePath().normalize();
    try {
      OwnPaths.requireParents(path);
      requireOurs(path);
      make(path);
      requireOurs(path); // not one that somebody has made between the two
      return new PrivateDirectory(
          path, what, ProcessLock.take(path.resolve(LOCK)).orElseThrow(() -> taken(path, what)));
    } catch (IOException e) {
      throw e instanceof EleyException ours ? ours : unusable(path, what, e);
    }
  }

  private static EleyException taken(Path path, String what) {
    return new EleyException(
        ErrorCode.UNAVAILABLE,
        "the "
            + what
            + " "
            + path
            + " is used by another node: stop that one or choose another directory");
  }

  static EleyException unusable(Path path, String what, IOException e) {
    return new EleyException(
        ErrorCode.ACCESS_DENIED,
        "cannot use the " + what + " " + path + ": " + StoreDirectory.words(e),
        e);
  }

  /**
   * Changing the mode of another user's directory, for example of /dev/shm itself, would do harm.
   */
  private static void requireOurs(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.exists(path.resolve(LOCK))) {
      requireEmpty(path);
    }
    OwnPaths.requireDirectory(path);
  }

  private static void requireEmpty(Path path) throws IOException {
    boolean shared = Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_WRITE);
    if (shared || !StoreDirectory.files(path).isEmpty()) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          path
              + " holds other files or is open to everybody: give the node a directory of its own");
    }
  }

  /**
   * Makes a directory for its owner alone. Its parent must be there: a RAM-disk that is not mounted
   * would become a directory of another file system, and what a job's step has tidied up must not
   * come back.
   */
  static void make(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      // What an earlier process made, perhaps under another umask.
    }
    // Never of what a link leads to.
    Files.getFileAttributeView(directory, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setPermissions(OWNER_DIRECTORY);
  }

  /**
   * Checks that the file system has room for so much.
   *
   * @param heldBytes the part of it that lies there already
   * @throws EleyException {@code NO_SPACE}, in one line for the user
   */
  public void requireRoom(long capacityBytes, long heldBytes) throws EleyException {
    long room;
    try {
      room = Files.getFileStore(path).getUsableSpace() + heldBytes;
    } catch (IOException e) {
      throw unusable(path, what, e);
    }
    if (room < capacityBytes) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          "the file system of "
              + path
              + " has room for "
              + DataSize.ofMebibytes(room >> 20)
              + " but the capacity is "
              + new DataSize(capacityBytes)
              + ": lower the capacity or free some room");
    }
  }

  public Path path() {
    return path;
  }

  /** Unlocks the directory for other processes. What is in it stays. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new IllegalStateException("cannot close the lock of " + path, e);
    }
  }
}
