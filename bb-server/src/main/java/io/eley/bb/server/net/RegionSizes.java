package io.eley.bb.server.net;

import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;

/**
 * Counts file regions by their bytes. Netty's own estimate for them is zero, since they take no
 * memory; but then a channel is always writable and a slow reader pins files without limit.
 */
final class RegionSizes implements MessageSizeEstimator {
  private static final Handle OTHERS = DefaultMessageSizeEstimator.DEFAULT.newHandle();

  @Override
  public Handle newHandle() {
    return message ->
        message instanceof FileRegion region
            ? Math.toIntExact(region.count())
            : OTHERS.size(message);
  }
}
