package io.eley.bb.server.net;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * A {@link FilePart} that leaves as it is. With the NIO transport {@link
 * java.nio.channels.FileChannel#transferTo} to a socket is sendfile(2) on Linux, also for a
 * non-blocking socket.
 */
final class PinnedRegion extends PartRegion {
  /** Takes over the part. */
  PinnedRegion(FilePart part) {
    super(part);
  }

  @Override
  public long position() {
    return part().position();
  }

  @Override
  public long count() {
    return part().length();
  }

  @Override
  public long transferTo(WritableByteChannel target, long offset) throws IOException {
    FilePart part = part();
    long left = part.length() - offset;
    if (left <= 0) {
      return 0;
    }
    long moved = part.file().transferTo(part.position() + offset, left, target);
    if (moved > 0) {
      noteTransferred(moved);
    } else if (part.file().size() <= part.position() + offset) {
      // Zero means "socket full" or "end of file"; the second would be tried again for ever.
      throw new IOException("file ends before the part that was promised");
    }
    return moved;
  }
}
