package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage;
import io.eley.bb.api.wire.Secret;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * The client's half of the handshake, over the socket's streams because only they know a read
 * time-out.
 */
final class ClientHandshake {
  private final InputStream in;
  private final OutputStream out;

  private ClientHandshake(Socket socket) throws IOException {
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  /** Blocks, each step at most for the time-out. */
  static void perform(SocketChannel channel, Secret secret, Duration timeout) throws IOException {
    Socket socket = channel.socket();
    socket.setSoTimeout((int) timeout.toMillis());
    var handshake = new ClientHandshake(socket);
    byte[] nonce = Handshake.nonce();
    Message challenge =
        handshake.exchange(new HandshakeMessage.Hello(HandshakeMessage.VERSION, nonce));
    if (!(challenge instanceof HandshakeMessage.Challenge c)) {
      throw unexpected(challenge);
    }
    Message welcome = handshake.exchange(Handshake.respond(secret, nonce, c));
    if (!(welcome instanceof ReplyMessage.Ok)) {
      throw unexpected(welcome);
    }
    socket.setSoTimeout(0);
  }

  private Message exchange(Message message) throws IOException {
    ByteBuffer frame = Codec.encode(message, 1);
    out.write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
    out.flush();
    FrameHeader header =
        FrameHeader.decode(ByteBuffer.wrap(bytes(FrameHeader.BYTES)), FrameHeader.MAX_BODY);
    return Codec.decode(header, ByteBuffer.wrap(bytes(header.bodyLength())));
  }

  private byte[] bytes(int count) throws IOException {
    byte[] read = in.readNBytes(count);
    if (read.length < count) {
      throw new EOFException("the peer closed the connection during the handshake");
    }
    return read;
  }

  private static EleyException unexpected(Message message) {
    return message instanceof ReplyMessage.Failure failure
        ? failure.toException()
        : new EleyException(
            ErrorCode.MALFORMED, "unexpected " + message.type() + " during the handshake");
  }
}
