package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.SecuredFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to {@link Frame}s: small ones in the clear until {@link #protect}, sealed ones afterwards.
 * A length is checked as soon as it is there; only bytes that have really come are held, never room
 * for those announced. A frame that makes no sense, or that somebody has touched, ends the
 * connection: what follows it cannot be trusted.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  /** A message that has arrived. */
  record Frame(long correlation, Message message) {}

  private @Nullable SecuredFrames frames;
  private @Nullable FrameHeader header;
  private boolean refused;

  /** Takes sealed frames alone from now on, and large ones, since the peer has proved itself. */
  void protect(SecuredFrames secured) {
    frames = secured;
  }

  /** A frame as it must leave now. */
  ByteBuffer outgoing(ByteBuffer frame) {
    SecuredFrames secured = frames;
    return secured == null ? frame : secured.out().seal(frame);
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
    SecuredFrames secured = frames;
    try {
      if (secured == null) {
        decodeClear(in, out);
      } else {
        decodeSealed(secured.in(), in, out);
      }
    } catch (EleyException e) {
      Refusal.send(context.channel(), header == null ? FrameHeader.PUSH : header.correlation(), e);
    }
  }

  private void decodeClear(ByteBuf in, List<Object> out) throws EleyException {
    if (header == null && in.readableBytes() >= FrameHeader.BYTES) {
      header = FrameHeader.decode(next(in, FrameHeader.BYTES), FrameHeader.MAX_HANDSHAKE_BODY);
      requireNoPayload(header);
    }
    if (header != null && in.readableBytes() >= header.bodyLength()) {
      out.add(frame(header, next(in, header.bodyLength())));
      header = null;
    }
  }

  private void decodeSealed(FrameOpener opener, ByteBuf in, List<Object> out) throws EleyException {
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    int length = Integer.BYTES + FrameOpener.lengthBehind(in.getInt(in.readerIndex()));
    if (in.readableBytes() < length) {
      return;
    }
    ByteBuffer opened = opener.open(next(in, length));
    header = FrameOpener.header(opened);
    requireNoPayload(header);
    out.add(frame(header, opened));
    header = null;
  }

  /** The next bytes, as a view that lives until the next ones are asked for. */
  private static ByteBuffer next(ByteBuf in, int length) {
    ByteBuffer view = in.nioBuffer(in.readerIndex(), length);
    in.skipBytes(length);
    return view;
  }

  private static void requireNoPayload(FrameHeader read) throws EleyException {
    if (read.payloadLength() > 0) {
      throw new EleyException(
          ErrorCode.MALFORMED, "malformed frame: a payload, which a server never takes");
    }
  }

  private static Frame frame(FrameHeader header, ByteBuffer body) throws EleyException {
    return new Frame(header.correlation(), Codec.decode(header, body));
  }
}
