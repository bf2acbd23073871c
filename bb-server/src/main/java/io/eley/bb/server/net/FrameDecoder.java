package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MessageType;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
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
  /**
   * A message that has arrived.
   *
   * @param payload for the receiver to close
   */
  record Frame(long correlation, Message message, @Nullable ReceivedBytes payload) {}

  /** A message whose payload has not come yet. */
  private record Awaited(long correlation, Message message, PayloadInput payload) {}

  private @Nullable SecuredFrames frames;
  private @Nullable FrameHeader header;
  private @Nullable Awaited awaited;
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

  /** Bytes of a payload that are to come; 0 between payloads. */
  int awaitedBytes() {
    return awaited == null ? 0 : awaited.payload().left();
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
        decodeSealed(context, secured.in(), in, out);
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

  private void decodeSealed(
      ChannelHandlerContext context, FrameOpener opener, ByteBuf in, List<Object> out)
      throws EleyException {
    if (awaited != null) {
      takePayload(awaited, in, out);
      return;
    }
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    int length = Integer.BYTES + FrameOpener.lengthBehind(in.getInt(in.readerIndex()));
    if (in.readableBytes() < length) {
      return;
    }
    ByteBuffer opened = opener.open(next(in, length));
    header = FrameOpener.header(opened);
    if (header.type() != MessageType.WRITE_SCRATCH.number()) {
      requireNoPayload(header);
    }
    Frame frame = frame(header, opened);
    if (header.payloadLength() == 0) {
      out.add(frame);
    } else {
      requireTaken(frame.message(), header.payloadLength());
      var payload = new PayloadInput(opener, context.alloc(), header.payloadLength());
      awaited = new Awaited(frame.correlation(), frame.message(), payload);
    }
    header = null;
  }

  private void takePayload(Awaited current, ByteBuf in, List<Object> out) throws EleyException {
    if (current.payload().take(in)) {
      awaited = null;
      out.add(new Frame(current.correlation(), current.message(), current.payload().received()));
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) {
    if (awaited != null) {
      awaited.payload().release();
      awaited = null;
    }
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
          ErrorCode.MALFORMED,
          "malformed frame: a payload, which a server never takes behind this message");
    }
  }

  /** A message says itself how much follows it, and none more than is held for it. */
  private static void requireTaken(Message message, int length) throws EleyException {
    if (!(message instanceof WriteScratch piece) || piece.length() != length) {
      throw new EleyException(
          ErrorCode.MALFORMED,
          "malformed frame: a payload of " + length + " bytes behind " + message.type());
    }
  }

  private static Frame frame(FrameHeader header, ByteBuffer body) throws EleyException {
    return new Frame(header.correlation(), Codec.decode(header, body), null);
  }
}
