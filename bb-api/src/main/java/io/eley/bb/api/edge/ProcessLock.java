package io.eley.bb.api.edge;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock file that one process on this machine holds until it closes it or ends, however it ends:
 * the kernel keeps the lock. Safe for several threads.
 */
public final class ProcessLock implements AutoCloseable {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /**
   * The files whose locks this JVM holds. A lock belongs to the process and goes with the first
   * descriptor of the file that the process closes (fcntl(2)): so the file must not be opened once
   * more, not even to find out that it is locked.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private ProcessLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock, in a file that is made with mode 0600 when it is missing. Does not wait.
   *
   * @param lockFile in a directory that is there; a link in its place is not followed
   * @return empty when somebody else has it, in this process or another one
   */
  public static Optional<ProcessLock> take(Path lockFile) throws IOException {
    Path absolute = lockFile.toAbsolutePath();
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    if (parent == null || name == null) {
      throw new IOException(lockFile + " is no place for a lock");
    }
    Path file = parent.toRealPath().resolve(name);
    if (!HELD.add(file)) {
      return Optional.empty();
    }
    Optional<FileChannel> locked = Optional.empty();
    try {
      locked = locked(file);
    } finally {
      if (locked.isEmpty()) {
        HELD.remove(file);
      }
    }
    return locked.map(channel -> new ProcessLock(file, channel));
  }

  private static Optional<FileChannel> locked(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            OWNER_ONLY);
    try {
      if (channel.tryLock() != null) {
        return Optional.of(channel);
      }
    } catch (IOException | RuntimeException e) {
      closeQuietly(channel, e);
      throw e;
    }
    channel.close();
    return Optional.empty();
  }

  private static void closeQuietly(FileChannel channel, Exception failure) {
    try {
      channel.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Gives the lock back; closing it again does nothing. */
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.close();
      HELD.remove(file);
    }
  }
}
