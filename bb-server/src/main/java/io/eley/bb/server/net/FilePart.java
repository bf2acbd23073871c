package io.eley.bb.server.net;

import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
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

  /**
   * Copies the whole range behind what the buffer holds. Blocks as reading the file does.
   *
   * @throws EOFException when the file ends before
   */
  void readInto(ByteBuf target) throws IOException {
    int end = target.writerIndex() + length;
    while (target.writerIndex() < end) {
      int left = end - target.writerIndex();
      if (target.writeBytes(file, position + length - left, left) < 0) {
        throw new EOFException("file ends before the part that was promised");
      }
    }
  }
}
