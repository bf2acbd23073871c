package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage;
import io.eley.bb.api.wire.SecuredFrames;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The client's half of the handshake, over the socket's streams because only they know a read
 * time-out.
 */
final class ClientHandshake {
  /** Of a message of somebody who has proved nothing; a refusal may quote what we have sent. */
  private static final int MAX_BODY = 4 * FrameHeader.MAX_HANDSHAKE_BODY;

  /** No proof covers the headers of these messages: what they say is checked. */
  private static final long CORRELATION = 1;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final long deadline;

  private ClientHandshake(Socket socket, long deadline) throws IOException {
    this.socket = socket;
    this.deadline = deadline;
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  /**
   * Blocks until both sides have proved themselves.
   *
   * @param deadline on the clock of {@link System#nanoTime}
   * @throws SocketTimeoutException when it has passed
   */
  static SecuredFrames perform(
      SocketChannel channel, Credentials credentials, Identity dialled, long deadline)
      throws IOException {
    Socket socket = channel.socket();
    var exchange = new ClientHandshake(socket, deadline);
    var half = new Handshake.Client(credentials, dialled, ends(channel));
    exchange.send(half.hello());
    Message challenge = exchange.receive();
    if (!(challenge instanceof HandshakeMessage.Challenge c)) {
      throw unexpected(challenge);
    }
    var agreement = half.respond(c);
    exchange.send(agreement.proof());
    Message welcome = exchange.receive(agreement.frames().in());
    if (!(welcome instanceof ReplyMessage.Ok)) {
      throw unexpected(welcome);
    }
    socket.setSoTimeout(0);
    return agreement.frames();
  }

  private static Endpoints ends(SocketChannel channel) throws IOException {
    return new Endpoints(
        (InetSocketAddress) channel.getLocalAddress(),
        (InetSocketAddress) channel.getRemoteAddress());
  }

  private void send(Message message) throws IOException {
    ByteBuffer frame = Codec.encode(message, CORRELATION);
    out.write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
    out.flush();
  }

  private Message receive() throws IOException {
    return clear(ByteBuffer.wrap(bytes(Integer.BYTES)));
  }

  /** The answer to our proof: sealed, unless it is a refusal. */
  private Message receive(FrameOpener opener) throws IOException {
    ByteBuffer prefix = ByteBuffer.wrap(bytes(Integer.BYTES));
    if (!FrameOpener.sealed(prefix.getInt(0))) {
      Message refusal = clear(prefix);
      throw refusal instanceof ReplyMessage.Failure
          ? unexpected(refusal)
          : new EleyException(ErrorCode.UNAUTHENTICATED, "an answer without protection");
    }
    ByteBuffer sealed = join(prefix, bytes(FrameOpener.lengthBehind(prefix.getInt(0))));
    ByteBuffer frame = opener.open(sealed);
    return message(FrameOpener.header(frame), frame);
  }

  private Message clear(ByteBuffer prefix) throws IOException {
    ByteBuffer start = join(prefix, bytes(FrameHeader.BYTES - Integer.BYTES));
    FrameHeader header = FrameHeader.decode(start, MAX_BODY);
    return message(header, ByteBuffer.wrap(bytes(header.bodyLength())));
  }

  private static Message message(FrameHeader header, ByteBuffer body) throws EleyException {
    Message message = Codec.decode(header, body);
    if (header.correlation() != CORRELATION && !(message instanceof ReplyMessage.Failure)) {
      throw unexpected(message);
    }
    return message;
  }

  private static ByteBuffer join(ByteBuffer first, byte[] second) {
    return ByteBuffer.allocate(first.remaining() + second.length).put(first).put(second).flip();
  }

  private byte[] bytes(int count) throws IOException {
    byte[] bytes = new byte[count];
    for (int have = 0; have < count; ) {
      // A peer that sends a byte now and then must not get the whole time-out for each.
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new SocketTimeoutException("no handshake in time");
      }
      socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
      int read = in.read(bytes, have, count - have);
      if (read < 0) {
        throw new EOFException("the peer closed the connection during the handshake");
      }
      have += read;
    }
    return bytes;
  }

  private static EleyException unexpected(Message message) {
    return message instanceof ReplyMessage.Failure failure
        ? refusal(failure)
        : new EleyException(
            ErrorCode.MALFORMED, "unexpected " + message.type() + " during the handshake");
  }

  /**
   * A refusal that nobody has proved. It may be a stranger's, so it can make a client go elsewhere,
   * never fail.
   */
  private static EleyException refusal(ReplyMessage.Failure failure) {
    var code = failure.code().remedy() == Remedy.FAIL ? ErrorCode.UNAUTHENTICATED : failure.code();
    return new EleyException(code, failure.text());
  }
}
