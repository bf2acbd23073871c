package io.eley.bb.server.net;

import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;

/**
 * A {@link FilePart} as Netty sends it: like {@link io.netty.channel.DefaultFileRegion}, but the
 * file is the store's and stays open; the end of the last reference releases the part, which
 * happens exactly once however the connection ends.
 */
abstract class PartRegion extends AbstractReferenceCounted implements FileRegion {
  private final FilePart part;
  private long transferred;

  /** Takes over the part. */
  PartRegion(FilePart part) {
    this.part = part;
  }

  final FilePart part() {
    return part;
  }

  /** Notes that the socket has taken so many bytes more. */
  final void noteTransferred(long bytes) {
    transferred += bytes;
  }

  @Override
  @Deprecated
  public final long transfered() {
    return transferred;
  }

  @Override
  public final long transferred() {
    return transferred;
  }

  /** Releases the part; who overrides this gives back what is its own first. */
  @Override
  protected void deallocate() {
    part.released().run();
  }

  @Override
  public final PartRegion retain() {
    super.retain();
    return this;
  }

  @Override
  public final PartRegion retain(int increment) {
    super.retain(increment);
    return this;
  }

  @Override
  public final PartRegion touch() {
    return this;
  }

  @Override
  public final PartRegion touch(Object hint) {
    return this;
  }
}
