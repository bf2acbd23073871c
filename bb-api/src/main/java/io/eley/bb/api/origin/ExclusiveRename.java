package io.eley.bb.api.origin;

import static java.nio.file.attribute.PosixFilePermission.GROUP_WRITE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_WRITE;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Renames to a name that is free. rename(2) replaces what another one has made since somebody
 * looked; of writers who race for a name, as for the next version of a table, one should get it.
 *
 * <ul>
 *   <li>link(2) looks and makes the second name in one step; then the first one is taken away.
 *       Where the name is the file's own already, a link was made whose answer was lost.
 *   <li>Where there are no hard links (OrangeFS), whoever renames within a directory holds a lock
 *       meanwhile, a directory named after the new name: mkdir(2) makes it for one alone, on all
 *       machines; a second one in it is his mark. Under it the directory's names are read, which
 *       the servers tell: stat(2) and rename(2) may take for free what another machine has named so
 *       just now (OrangeFS's kernel client believes for 50 ms what it has seen). Who races for a
 *       name writes beside it first (Delta, Iceberg, Spark's checkpoints); files that come from
 *       elsewhere are those of tasks, which a job's driver keeps apart, and not worth so many calls
 *       of the metadata servers each.
 * </ul>
 *
 * <p>A holder that died leaves its lock; the next one takes it away after {@link #DEAD}, by its
 * mark, since another one may have been faster and have a lock there that has another. And one that
 * has stood still for half of that time renames nothing, since its lock may be gone: it takes a new
 * one, a few times.
 *
 * <p>Whoever may write to the directory can put there, by the lock's name, a link to what he may
 * not touch, or a directory of somebody else's. So what is removed, or made writable to others, is
 * looked up in a directory that is open, no link is followed, and nothing goes but empty
 * directories.
 *
 * <p>Stateless, so safe for several threads. Blocks, and may hang as the file system does.
 */
final class ExclusiveRename {
  /** A holder renames within milliseconds. */
  static final Duration DEAD = Duration.ofSeconds(10);

  private static final String SOMEBODYS = "?";
  private static final String LOCK = ".eley-rename-";
  private static final long PAUSE_MILLIS = 5;
  private static final int ATTEMPTS = 3;

  /** What is asked of the file system. */
  interface SystemCalls {
    /**
     * Gives a file a second name.
     *
     * @throws FileAlreadyExistsException when there is something by that name
     */
    void link(Path name, Path file) throws IOException;

    /** Whether there is something by that name, as far as this machine knows. */
    default boolean exists(Path name) {
      return Files.exists(name);
    }

    /**
     * Makes a directory.
     *
     * @throws FileAlreadyExistsException when there is something by that name
     */
    default void mkdir(Path name) throws IOException {
      Files.createDirectory(name);
    }

    /** Renames; replaces what this machine does not know of. */
    default void move(Path from, Path to) throws IOException {
      Files.move(from, to);
    }
  }

  private final SystemCalls calls;
  private final Duration dead;
  private final LongSupplier clock;

  /**
   * A renaming.
   *
   * @param dead how long a lock of others is respected, in which nothing of it changes
   * @param clock as {@link System#nanoTime}
   */
  ExclusiveRename(SystemCalls calls, Duration dead, LongSupplier clock) {
    this.calls = calls;
    this.dead = dead;
    this.clock = clock;
  }

  /**
   * Renames.
   *
   * @throws FileAlreadyExistsException when there is something by that name
   * @throws EleyException {@code INTERRUPTED}
   */
  void rename(Path source, Path target) throws IOException {
    if (!Files.isRegularFile(source, LinkOption.NOFOLLOW_LINKS)) {
      moveIfFree(source, target);
      return;
    }
    Link link = link(source, target);
    if (link == Link.MADE) {
      unlink(source, target);
    } else if (link == Link.THERE) {
      Files.deleteIfExists(source); // and never the name, which may be of one who renames it, too
    } else if (Objects.equals(source.getParent(), target.getParent())) {
      moveLocked(source, target);
    } else {
      moveIfFree(source, target);
    }
  }

  private enum Link {
    MADE,
    /** The name was the file's own already. */
    THERE,
    /** There are no links, or none for this file or to there. */
    NONE
  }

  private Link link(Path source, Path target) throws IOException {
    try {
      calls.link(target, source);
      return Link.MADE;
    } catch (FileAlreadyExistsException e) {
      if (isOwn(source, target)) {
        return Link.THERE;
      }
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      return Link.NONE;
    }
  }

  /**
   * Whether the name is the file's second one. NFS makes a call again whose answer was lost, and
   * then finds there what the first one has made. One link is the same name, as where case does not
   * count. Of three, who has made this one could take it back when the first name goes: he cannot
   * tell then whether the file got it, or another name.
   */
  private static boolean isOwn(Path source, Path target) throws IOException {
    try {
      return !source.equals(target) && key(source).equals(key(target)) && links(target) == 2;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static Optional<Object> key(Path file) throws IOException {
    return Optional.ofNullable(
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey());
  }

  private static int links(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Takes the file's first name. Of several who rename one file only one can: the others take their
   * second name back. A name that is the only one left stays, whatever the error: it can be of a
   * server whose answer to the first try was lost.
   */
  private static void unlink(Path source, Path target) throws IOException {
    try {
      Files.delete(source);
    } catch (IOException e) {
      if (links(target) > 1) {
        Files.delete(target);
        throw e;
      }
    }
  }

  private void moveIfFree(Path source, Path target) throws IOException {
    requireFree(!calls.exists(target), target);
    calls.move(source, target);
  }

  private static void requireFree(boolean free, Path target) throws FileAlreadyExistsException {
    if (!free) {
      throw new FileAlreadyExistsException(target.toString());
    }
  }

  /**
   * A lock that is held.
   *
   * @param mark in it: this holding's own, by which a lock is told from a later one
   * @param since a moment before others could see it
   */
  private record Held(Path lock, Path mark, long since) {
    /**
     * Never fails: the file has its new name, and a lock that stays is a dead one's. One that is
     * another's by now has his mark, or he begins again.
     */
    void release() {
      try {
        Files.deleteIfExists(mark);
        Files.deleteIfExists(lock);
      } catch (IOException e) {
        // see above
      }
    }
  }

  /**
   * Begins again when the lock was held for too long: the directory may be long, its server slow.
   */
  private void moveLocked(Path source, Path target) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      Held held = take(lockOf(target));
      try {
        requireFree(!calls.exists(target) && !listed(target), target);
        // The other half of the time is for the move to reach the servers.
        if (!olderThan(dead.dividedBy(2), held.since)) {
          calls.move(source, target);
          return;
        }
      } finally {
        held.release();
      }
    }
    throw new FileSystemException(
        target.toString(), null, "the lock for its name was held for too long");
  }

  private boolean olderThan(Duration time, long since) {
    return clock.getAsLong() - since > time.toNanos();
  }

  /** Whether the directory has the name; nobody answers that from what he has seen before. */
  private static boolean listed(Path name) throws IOException {
    Path directory = Objects.requireNonNull(name.getParent());
    try (var found = Files.newDirectoryStream(directory, name::equals)) {
      return found.iterator().hasNext();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Of one length, since the new name may be as long as names can be. */
  static Path lockOf(Path target) {
    byte[] name = FileNames.name(target).getBytes(StandardCharsets.UTF_8);
    return target.resolveSibling(LOCK + UUID.nameUUIDFromBytes(name));
  }

  private Held take(Path lock) throws IOException {
    Optional<Set<String>> seen = Optional.empty();
    long since = clock.getAsLong();
    while (true) {
      long before = clock.getAsLong();
      if (made(lock)) {
        Path mark = lock.resolve(UUID.randomUUID().toString());
        if (marked(lock, mark)) {
          return new Held(lock, mark, before);
        }
      }
      if (Files.isSymbolicLink(lock)) {
        throw noLock(lock);
      }
      Optional<Set<String>> now = marks(lock);
      if (!now.equals(seen)) {
        seen = now;
        since = clock.getAsLong();
      } else if (now.isPresent() && olderThan(dead, since)) {
        takeAway(lock, now.get());
      }
      pause(lock);
    }
  }

  private boolean made(Path lock) throws IOException {
    try {
      calls.mkdir(lock);
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    share(lock);
    return true;
  }

  /**
   * Whoever may rename beside it must be able to take it away, whatever our umask is. Only while it
   * is empty: what somebody has put in its place stays as closed as it is.
   */
  private static void share(Path lock) {
    Path parent = Objects.requireNonNull(lock.getParent());
    try {
      var wanted = Files.getPosixFilePermissions(parent);
      if (wanted.contains(GROUP_WRITE) || wanted.contains(OTHERS_WRITE)) {
        try (var stream = Files.newDirectoryStream(parent);
            var opened = open(TreeDeletion.secure(parent, stream), lock)) {
          if (!opened.iterator().hasNext()) {
            opened.getFileAttributeView(PosixFileAttributeView.class).setPermissions(wanted);
          }
        }
      }
    } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
      // Then only we can, as ever.
    }
  }

  /** The lock itself; what a link by its name leads to is none. */
  private static SecureDirectoryStream<Path> open(SecureDirectoryStream<Path> in, Path lock)
      throws IOException {
    Path name = Objects.requireNonNull(lock.getFileName());
    if (!TreeDeletion.isDirectory(in, name)) { // before it is opened: a pipe would hang
      throw noLock(lock);
    }
    return in.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
  }

  private static FileSystemException noLock(Path lock) {
    return new FileSystemException(
        lock.toString(), null, "is in the way of a rename, and no lock that renames leave");
  }

  /**
   * Leaves a mark, and looks whether it is the only one. False where it is not, or where the lock
   * is gone: somebody late took it for a dead one's, before it had a mark, and perhaps another one
   * has made it anew. Of those whose marks are in one lock nobody has seen his own alone, but one.
   */
  private boolean marked(Path lock, Path mark) throws IOException {
    boolean alone = false;
    try {
      calls.mkdir(mark);
      alone = marks(lock).equals(Optional.of(Set.of(FileNames.name(mark))));
    } catch (NoSuchFileException e) {
      return false;
    } finally {
      if (!alone) { // also where the mark cannot be left, as for want of room
        new Held(lock, mark, 0).release();
      }
    }
    return alone;
  }

  /** None while its holder has not left his; empty when there is no lock. */
  private static Optional<Set<String>> marks(Path lock) throws IOException {
    try (var marks = Files.newDirectoryStream(lock)) {
      var names = new HashSet<String>();
      marks.forEach(mark -> names.add(FileNames.name(mark)));
      return Optional.of(names);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (AccessDeniedException e) {
      return Optional.of(Set.of(SOMEBODYS)); // which are not taken away either, when it is late
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Of several who do so one may have made a lock of his own already: it has another mark. */
  private static void takeAway(Path lock, Set<String> marks) throws IOException {
    Path parent = Objects.requireNonNull(lock.getParent());
    try (var stream = Files.newDirectoryStream(parent)) {
      SecureDirectoryStream<Path> in = TreeDeletion.secure(parent, stream);
      removeMarks(in, lock, marks);
      in.deleteDirectory(Objects.requireNonNull(lock.getFileName()));
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      return; // it is another one's now
    }
  }

  private static void removeMarks(SecureDirectoryStream<Path> in, Path lock, Set<String> marks)
      throws IOException {
    if (!marks.stream().allMatch(ExclusiveRename::isMark)) {
      throw noLock(lock);
    }
    try (var opened = open(in, lock)) {
      for (String mark : marks) {
        removeMark(opened, Path.of(mark));
      }
    } catch (DirectoryNotEmptyException e) {
      throw noLock(lock);
    }
  }

  private static void removeMark(SecureDirectoryStream<Path> lock, Path mark) throws IOException {
    try {
      lock.deleteDirectory(mark);
    } catch (NoSuchFileException e) {
      // Another one who takes it away has removed it.
    }
  }

  private static boolean isMark(String name) {
    try {
      return UUID.fromString(name).toString().equals(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void pause(Path lock) throws EleyException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted while waiting for " + lock, e);
    }
  }
}
