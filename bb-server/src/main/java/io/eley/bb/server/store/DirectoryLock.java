package io.eley.bb.server.store;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The lock of a store's directory: one node on this machine has it, until it ends or closes it. */
final class DirectoryLock implements AutoCloseable {
  /**
   * The files whose locks this JVM holds. A lock belongs to the process and goes with the first
   * descriptor of the file that the process closes (fcntl(2)): so the file must not be opened once
   * more, not even to find out that it is locked.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private DirectoryLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock, in a file that is made when it is missing.
   *
   * @param attributes of a file that is made
   * @throws EleyException {@code UNAVAILABLE} when another node has it
   */
  static DirectoryLock take(Path directory, String name, FileAttribute<?> attributes)
      throws IOException {
    Path file = directory.toRealPath().resolve(name);
    if (!HELD.add(file)) {
      throw taken(directory);
    }
    try {
      return new DirectoryLock(file, locked(directory, file, attributes));
    } catch (IOException | RuntimeException e) {
      HELD.remove(file);
      throw e;
    }
  }

  private static FileChannel locked(Path directory, Path file, FileAttribute<?> attributes)
      throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            attributes);
    try {
      if (channel.tryLock() == null) {
        throw taken(directory);
      }
      return channel;
    } catch (IOException | RuntimeException e) {
      closeQuietly(channel, e);
      throw e;
    }
  }

  private static void closeQuietly(FileChannel channel, Exception failure) {
    try {
      channel.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static EleyException taken(Path directory) {
    return new EleyException(
        ErrorCode.UNAVAILABLE,
        "the RAM-disk directory "
            + directory
            + " is used by another node: stop that one or choose another directory");
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.close();
      HELD.remove(file);
    }
  }
}
