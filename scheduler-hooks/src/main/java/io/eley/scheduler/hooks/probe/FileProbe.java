package io.eley.scheduler.hooks.probe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a private file on a mounted origin from its begin, as {@code ior -w -t SIZE -b SIZE} does,
 * with {@code -e} when it is synced, and reads it back when asked to. The file has a name of its
 * own, mode 0600, and is deleted on closing. Who may write to the directory, too, could put a link
 * in its place, which is not followed, or a pipe, which is not opened.
 */
public final class FileProbe implements TimedIo {
  private static final Logger LOG = LoggerFactory.getLogger(FileProbe.class);

  private final Path file;
  private final boolean sync;
  private final boolean read;
  private final ByteBuffer buffer;

  /**
   * A probe that has not made its file yet.
   *
   * @param directory on the origin
   * @param size bytes of one write
   * @param sync whether the write ends when it is on the servers (IOR's {@code -e})
   * @param read whether it is read back, too
   */
  public FileProbe(Path directory, int size, boolean sync, boolean read) {
    String name = Long.toHexString(ThreadLocalRandom.current().nextLong());
    file = directory.resolve(".eley-probe-" + name);
    this.sync = sync;
    this.read = read;
    buffer = ByteBuffer.allocateDirect(size);
  }

  @Override
  public long nanos() throws IOException {
    requireFile();
    long began = System.nanoTime();
    try (var channel =
        FileChannel.open(
            file, StandardOpenOption.WRITE, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      buffer.clear();
      while (buffer.hasRemaining()) {
        channel.write(buffer, buffer.position());
      }
      if (sync) {
        channel.force(false);
      }
      buffer.clear();
      while (read && buffer.hasRemaining() && channel.read(buffer, buffer.position()) > 0) {
        // all of it
      }
    }
    return System.nanoTime() - began;
  }

  private void requireFile() throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is not the probe's file any more: somebody has replaced it");
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("the probe's file {} is left behind: {}", file, e.getMessage());
    }
  }
}
