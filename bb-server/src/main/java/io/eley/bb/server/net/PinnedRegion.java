package io.eley.bb.server.net;

import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * A {@link FilePart} as Netty sends it: like {@link io.netty.channel.DefaultFileRegion}, but the
 * file is the store's and stays open; the end of the last reference releases the part, which
 * happens exactly once however the connection ends.
 *
 * <p>With the NIO transport {@link java.nio.channels.FileChannel#transferTo} to a socket is
 * sendfile(2) on Linux, also for a non-blocking socket.
 */
final class PinnedRegion extends AbstractReferenceCounted implements FileRegion {
  private final FilePart part;
  private long transferred;

  /** Takes over the part. */
  PinnedRegion(FilePart part) {
    this.part = part;
  }

  @Override
  public long position() {
    return part.position();
  }

  @Override
  @Deprecated
  public long transfered() {
    return transferred;
  }

  @Override
  public long transferred() {
    return transferred;
  }

  @Override
  public long count() {
    return part.length();
  }

  @Override
  public long transferTo(WritableByteChannel target, long offset) throws IOException {
    long left = part.length() - offset;
    if (left <= 0) {
      return 0;
    }
    long moved = part.file().transferTo(part.position() + offset, left, target);
    if (moved > 0) {
      transferred += moved;
    } else if (part.file().size() <= part.position() + offset) {
      // Zero means "socket full" or "end of file"; the second would be tried again for ever.
      throw new IOException("file ends before the part that was promised");
    }
    return moved;
  }

  @Override
  protected void deallocate() {
    part.released().run();
  }

  @Override
  public PinnedRegion retain() {
    super.retain();
    return this;
  }

  @Override
  public PinnedRegion retain(int increment) {
    super.retain(increment);
    return this;
  }

  @Override
  public PinnedRegion touch() {
    return this;
  }

  @Override
  public PinnedRegion touch(Object hint) {
    return this;
  }
}
