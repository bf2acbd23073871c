package io.eley.bb.server.store;

import io.eley.bb.api.origin.Descriptors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Opens the files of a store's blocks, and counts those that are open for reading. A file that
 * cannot be opened though it is there says nothing about its bytes or the room on the RAM-disk: the
 * process may be out of descriptors. Safe for several threads.
 */
class FileOpener {
  private final AtomicInteger reading = new AtomicInteger();

  /** A file could not be opened, for a reason that may pass. */
  static final class NotOpenedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotOpenedException(IOException cause) {
      super(StoreDirectory.words(cause), cause);
    }
  }

  /** Opens for reading; {@link #noteClosed} follows. */
  final FileChannel read(Path file) throws IOException {
    try {
      FileChannel channel = openForReading(file);
      reading.incrementAndGet();
      Descriptors.noteOpened();
      return channel;
    } catch (NoSuchFileException e) {
      throw e; // That does not pass.
    } catch (IOException e) {
      throw notOpened(e);
    }
  }

  /** Makes a file that only its owner may read. */
  final FileChannel create(Path file) throws IOException {
    try {
      return openNew(file);
    } catch (IOException e) {
      throw notOpened(e);
    }
  }

  /** Opens a file for writing that was made before. */
  final FileChannel write(Path file) throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw notOpened(e);
    }
  }

  private static NotOpenedException notOpened(IOException e) {
    boolean unused = Descriptors.noteScarce();
    return new NotOpenedException(e);
  }

  FileChannel openForReading(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  FileChannel openNew(Path file) throws IOException {
    return StoreDirectory.createPrivate(file);
  }

  final void noteClosed() {
    reading.decrementAndGet();
  }

  /** How many are open for reading. */
  final int reading() {
    return reading.get();
  }
}
