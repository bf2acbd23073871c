package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to {@link Frame}s. A header is checked as soon as it is there, against a small limit until
 * {@link #allowLargeFrames}; only bytes that have really come are held, never room for those
 * announced. A frame that makes no sense ends the connection: what follows it cannot be trusted.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  /** A message that has arrived. */
  record Frame(long correlation, Message message) {}

  private int maxBody = FrameHeader.MAX_HANDSHAKE_BODY;
  private @Nullable FrameHeader header;
  private boolean refused;

  /** Allows large frames from now on, since the peer has authenticated itself. */
  void allowLargeFrames() {
    maxBody = FrameHeader.MAX_BODY;
  }

  /** Discards all further input of this connection. */
  void refuse() {
    refused = true;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (refused) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      if (header == null && in.readableBytes() >= FrameHeader.BYTES) {
        header = header(in);
      }
      if (header != null && in.readableBytes() >= header.bodyLength()) {
        out.add(frame(header, in));
        header = null;
      }
    } catch (EleyException e) {
      Refusal.send(context.channel(), header == null ? FrameHeader.PUSH : header.correlation(), e);
    }
  }

  private FrameHeader header(ByteBuf in) throws EleyException {
    FrameHeader read =
        FrameHeader.decode(in.nioBuffer(in.readerIndex(), FrameHeader.BYTES), maxBody);
    in.skipBytes(FrameHeader.BYTES);
    if (read.payloadLength() > 0) {
      throw new EleyException(
          ErrorCode.MALFORMED, "malformed frame: a payload, which a server never takes");
    }
    return read;
  }

  private static Frame frame(FrameHeader header, ByteBuf in) throws EleyException {
    Message message = Codec.decode(header, in.nioBuffer(in.readerIndex(), header.bodyLength()));
    in.skipBytes(header.bodyLength());
    return new Frame(header.correlation(), message);
  }
}
