package io.eley.bb.server.net;

import java.nio.channels.FileChannel;

/**
 * A range of a file on its way to a socket, and what to do when it is there. The channel belongs to
 * whoever made this and is never closed by the sender.
 *
 * @param file open for reading; must stay open until released
 * @param position of the first byte
 * @param length bytes, at least 1
 * @param released run exactly once, on any thread, when the file is not needed any more; must not
 *     block
 */
public record FilePart(FileChannel file, long position, int length, Runnable released) {
  public FilePart {
    if (position < 0 || length < 1) {
      throw new IllegalArgumentException(
          "not a range of a file: position " + position + ", length " + length);
    }
  }
}
