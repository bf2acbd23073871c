package io.eley.bb.server.net;

import io.eley.bb.api.wire.FrameSealer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FilePart} that is sealed on its way: piece by piece, when the socket takes the next one,
 * so that it holds two pieces of memory however long it is. Belongs to the connection's event loop,
 * as does the sealer.
 */
final class SealedRegion extends PartRegion {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final FrameSealer.Payload payload;
  private final ByteBufAllocator allocator;
  private @Nullable ByteBuf memory;
  private ByteBuffer leaving = NOTHING;
  private int read;

  /** Takes over the part. */
  SealedRegion(FilePart part, FrameSealer.Payload payload, ByteBufAllocator allocator) {
    super(part);
    this.payload = payload;
    this.allocator = allocator;
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public long count() {
    return payload.sealedLength();
  }

  @Override
  public long transferTo(WritableByteChannel target, long position) throws IOException {
    if (!leaving.hasRemaining() && payload.nextLength() > 0) {
      sealNext();
    }
    int moved = target.write(leaving);
    noteTransferred(moved);
    return moved;
  }

  private void sealNext() throws IOException {
    int length = payload.nextLength();
    ByteBuf held = memory == null ? take(length) : memory;
    // The record behind the piece that it is made of.
    ByteBuffer piece = held.nioBuffer(0, length);
    ByteBuffer sealed = held.nioBuffer(length, length + FrameSealer.TAG_BYTES);
    readFully(piece);
    payload.seal(piece.flip(), sealed);
    leaving = sealed.flip();
  }

  /** Room for the first piece, which is the longest, and its record. */
  private ByteBuf take(int length) {
    ByteBuf taken = allocator.directBuffer(2 * length + FrameSealer.TAG_BYTES);
    memory = taken;
    return taken;
  }

  private void readFully(ByteBuffer target) throws IOException {
    FileChannel file = part().file();
    while (target.hasRemaining()) {
      int count = file.read(target, part().position() + read);
      if (count < 0) {
        throw new IOException("file ends before the part that was promised");
      }
      read += count;
    }
  }

  @Override
  protected void deallocate() {
    if (memory != null) {
      memory.release();
    }
    super.deallocate();
  }
}
