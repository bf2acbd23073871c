package io.eley.bb.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The payload of a message that has arrived, in the buffers it was received into. Whoever has it
 * closes it, once; until then it takes memory. For one thread at a time.
 */
public final class ReceivedBytes implements AutoCloseable {
  private final ByteBuf bytes;

  /** Takes over the buffer. */
  ReceivedBytes(ByteBuf bytes) {
    this.bytes = bytes;
  }

  /** Bytes that a process has itself; not copied. */
  public static ReceivedBytes of(byte[] bytes) {
    return new ReceivedBytes(Unpooled.wrappedBuffer(bytes));
  }

  public int length() {
    return bytes.readableBytes();
  }

  /** Writes all of them. Blocks. */
  public void writeTo(FileChannel file, long position) throws IOException {
    long at = position;
    for (ByteBuffer part : bytes.nioBuffers()) {
      while (part.hasRemaining()) {
        at += file.write(part, at);
      }
    }
  }

  @Override
  public void close() {
    bytes.release();
  }
}
