package io.eley.bb.api.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes that come through a channel, so that others see whether anything moves. */
record CountedChannel(ReadableByteChannel channel, AtomicLong count)
    implements ReadableByteChannel {
  @Override
  public int read(ByteBuffer target) throws IOException {
    int bytes = channel.read(target);
    if (bytes > 0) {
      count.addAndGet(bytes);
    }
    return bytes;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
