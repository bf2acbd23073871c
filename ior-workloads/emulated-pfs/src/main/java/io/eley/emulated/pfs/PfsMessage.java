package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.WireReader;
import io.eley.bb.api.wire.WireWriter;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The messages after the handshake of bb-api. A frame is a length (u32, of what follows), a type
 * (u8) and the fields, big endian.
 */
sealed interface PfsMessage {
  /** Largest request, and the quantum of the round robin. */
  int MAX_REQUEST_BYTES = 1 << 20;

  /** Largest frame a client may send: a label and a cause and some numbers. */
  int MAX_CLIENT_FRAME = 512;

  /** Largest frame the server sends: a page of the trace. */
  int MAX_SERVER_FRAME = 1 << 20;

  /** Events in a page: below {@link #MAX_SERVER_FRAME} with the longest labels and causes. */
  int PAGE_EVENTS = 4096;

  int MAX_WORD_BYTES = 64;

  int PREFIX_BYTES = Integer.BYTES;

  /** Client, first: who it is in the trace. */
  record Introduce(String client) implements PfsMessage {}

  /** Client: may I move so many bytes? Answered by {@link Granted} when it may. */
  record Request(long correlation, long stream, String cause, PfsOperation operation, int bytes)
      implements PfsMessage {}

  /** Server: now. */
  record Granted(long correlation) implements PfsMessage {}

  /** Client: a page of the record from a sequence number on. */
  record TraceRequest(long correlation, long from) implements PfsMessage {}

  /** Server: the page. */
  record TracePage(long correlation, PfsTrace trace) implements PfsMessage {}

  /** A complete frame. */
  static ByteBuffer encode(PfsMessage message) {
    var body = new WireWriter();
    if (message instanceof Introduce m) {
      body.u8(1).text(m.client);
    } else if (message instanceof Request m) {
      body.u8(2).i64(m.correlation).i64(m.stream).text(m.cause).constant(m.operation).i32(m.bytes);
    } else if (message instanceof Granted m) {
      body.u8(3).i64(m.correlation);
    } else if (message instanceof TraceRequest m) {
      body.u8(4).i64(m.correlation).i64(m.from);
    } else if (message instanceof TracePage m) {
      body.u8(5).i64(m.correlation).i64(m.trace.first()).i64(m.trace.recorded());
      body.list(m.trace.events(), PfsMessage::writeEvent);
    }
    ByteBuffer written = body.written();
    var frame = ByteBuffer.allocate(PREFIX_BYTES + written.remaining());
    return frame.putInt(written.remaining()).put(written).flip();
  }

  /**
   * The message of a frame's body.
   *
   * @throws EleyException {@code MALFORMED}, whatever the bytes were
   */
  static PfsMessage decode(ByteBuffer body) throws EleyException {
    try {
      PfsMessage message = read(new WireReader(body));
      if (body.hasRemaining()) {
        throw new IllegalArgumentException(body.remaining() + " bytes too many");
      }
      return message;
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new EleyException(
          ErrorCode.MALFORMED, "malformed message to the emulated PFS: " + e.getMessage(), e);
    }
  }

  private static PfsMessage read(WireReader in) {
    int type = in.u8();
    return switch (type) {
      case 1 -> new Introduce(in.text(MAX_WORD_BYTES));
      case 2 -> request(in);
      case 3 -> new Granted(in.i64());
      case 4 -> new TraceRequest(in.i64(), in.i64());
      case 5 ->
          new TracePage(in.i64(), new PfsTrace(in.i64(), in.i64(), in.list(PfsMessage::readEvent)));
      default -> throw new IllegalArgumentException("no message type " + type);
    };
  }

  private static Request request(WireReader in) {
    var request =
        new Request(
            in.i64(), in.i64(), in.text(MAX_WORD_BYTES), in.constant(PfsOperation.class), in.i32());
    if (request.bytes < 0 || request.bytes > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException(
          "request of " + request.bytes + " bytes, the limit is " + MAX_REQUEST_BYTES);
    }
    return request;
  }

  private static void writeEvent(WireWriter out, PfsEvent e) {
    out.i64(e.epochMicros()).text(e.client()).text(e.cause()).text(e.operation()).i32(e.bytes());
  }

  private static PfsEvent readEvent(WireReader in) {
    return new PfsEvent(
        in.i64(), in.text(MAX_WORD_BYTES), in.text(MAX_WORD_BYTES), in.text(16), in.i32());
  }
}
