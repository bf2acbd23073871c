package io.eley.bb.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file of one block: temporary, then committed, then unlinked; and the one channel that all its
 * readers share. The channel is kept open while somebody reads, and afterwards too while the store
 * holds few channels, because opening costs more than a small read.
 *
 * <p>Readers do not share the writer's channel: a thread that is interrupted while it writes closes
 * the channel it writes to, and readers must not feel that.
 *
 * <p>Safe for several threads. Its monitor is held during calls on this one file (open, rename,
 * unlink, the one verification), never during the transfer of a chunk.
 */
final class BlockFile {
  /** Channels without a reader that a store keeps open; far below the usual limit of 4096. */
  private static final int KEPT_OPEN = 512;

  private static final int VERIFY_BYTES = 128 << 10;

  private final FileOpener opener;
  private Path path;
  private @Nullable FileChannel reading;
  private int readers;
  private boolean verified;
  private boolean made;
  private boolean unlinked;
  private boolean retired;

  /**
   * A file that may not exist yet.
   *
   * @param opener of the store
   * @param verified whether this process wrote the bytes itself
   */
  BlockFile(Path path, FileOpener opener, boolean verified) {
    this.path = path;
    this.opener = opener;
    this.verified = verified;
    made = !verified;
  }

  synchronized Path path() {
    return path;
  }

  /** Makes the file, or opens it when a former writer has made it; the caller owns the channel. */
  synchronized FileChannel openToWrite() throws IOException {
    requireLinked();
    FileChannel channel = made ? opener.write(path) : opener.create(path);
    made = true;
    return channel;
  }

  /** Renames the file, atomically. */
  synchronized void moveTo(Path target) throws IOException {
    requireLinked();
    Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
    path = target;
  }

  /** The channel to read from; each call is paired with a {@link #leave}. */
  synchronized FileChannel enter() throws IOException {
    FileChannel channel = open();
    readers++;
    return channel;
  }

  /** Notes that a reader is done. */
  synchronized void leave() throws IOException {
    readers--;
    if (readers == 0 && (retired || !kept())) {
      closeReading();
    }
  }

  /** Whether it stays open without a reader: after it was unlinked nobody could open it again. */
  private boolean kept() {
    return unlinked || opener.reading() <= KEPT_OPEN;
  }

  /**
   * Reads all pages once that have arrived and compares them with their checksums, unless that was
   * done before or this process wrote them.
   *
   * @throws FileOpener.NotOpenedException when that could not be found out
   * @throws IOException when a chunk does not match, or the file cannot be read
   */
  synchronized void verifyOnce(Arrivals expected) throws IOException {
    if (verified) {
      return;
    }
    try {
      requireMatch(open(), expected);
      verified = true;
    } finally {
      // Who leases the block to a client on this machine does not enter it, and so does not leave.
      if (readers == 0 && !kept()) {
        closeReading();
      }
    }
  }

  private static void requireMatch(FileChannel channel, Arrivals expected) throws IOException {
    var piece = ByteBuffer.allocate(VERIFY_BYTES);
    long position = 0;
    for (int page = 0; page < expected.pageCount(); page++) {
      int length = expected.pageLength(page);
      if (expected.has(page)
          && checksum(channel, position, length, piece) != expected.checksum(page)) {
        throw new IOException("page " + page + " does not match its checksum");
      }
      position += length;
    }
  }

  /** Lets the next {@link #verifyOnce} look at the bytes again. */
  synchronized void suspect() {
    verified = false;
  }

  /**
   * Takes the file out of its directory. It is opened first, so that who holds the block can read
   * it still, even who has not begun to; {@link #retire} closes it.
   */
  synchronized void unlink() throws IOException {
    if (unlinked) {
      return;
    }
    unlinked = true;
    if (Files.exists(path)) {
      try {
        open();
      } finally {
        // The RAM must be freed whatever happens, for example when the process has no more file
        // descriptors.
        Files.deleteIfExists(path);
      }
    }
  }

  /** Closes the channel now, or when the last reader leaves. */
  synchronized void retire() throws IOException {
    retired = true;
    if (readers == 0) {
      closeReading();
    }
  }

  private FileChannel open() throws IOException {
    if (reading == null) {
      if (retired) {
        throw new NoSuchFileException(path.toString());
      }
      reading = opener.read(path);
    }
    return reading;
  }

  private void closeReading() throws IOException {
    if (reading != null) {
      opener.noteClosed();
      FileChannel closing = reading;
      reading = null;
      closing.close();
    }
  }

  private void requireLinked() throws IOException {
    if (unlinked) {
      throw new NoSuchFileException(path.toString());
    }
  }

  private static int checksum(FileChannel channel, long from, int length, ByteBuffer piece)
      throws IOException {
    var crc = new CRC32C();
    int done = 0;
    while (done < length) {
      piece.clear().limit(Math.min(piece.capacity(), length - done));
      int read = channel.read(piece, from + done);
      if (read < 0) {
        throw new IOException("file is truncated");
      }
      crc.update(piece.flip());
      done += read;
    }
    return (int) crc.getValue();
  }
}
