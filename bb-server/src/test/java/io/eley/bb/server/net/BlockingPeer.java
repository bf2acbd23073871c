package io.eley.bb.server.net;

import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage;
import io.eley.bb.api.wire.HandshakeMessage.Challenge;
import io.eley.bb.api.wire.HandshakeMessage.Hello;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.Secret;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A client that does one thing after the other and checks nothing, so that it can misbehave. */
public final class BlockingPeer implements AutoCloseable {
  /** A frame that has come. */
  public static final class Answer {
    private final FrameHeader header;
    private final Message message;
    private final byte[] payload;

    Answer(FrameHeader header, Message message, byte[] payload) {
      this.header = header;
      this.message = message;
      this.payload = payload;
    }

    public FrameHeader header() {
      return header;
    }

    public Message message() {
      return message;
    }

    public byte[] payload() {
      return payload;
    }
  }

  private final Socket socket;
  private final DataInputStream in;

  private BlockingPeer(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
  }

  /** A connection without handshake. */
  public static BlockingPeer connect(int port) throws IOException {
    return connect(port, 0);
  }

  /** With a small receive buffer, so that the server soon feels a slow reader. */
  public static BlockingPeer connect(int port, int receiveBuffer) throws IOException {
    var socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return new BlockingPeer(socket);
  }

  public static BlockingPeer authenticated(int port, Secret secret) throws IOException {
    return connect(port).authenticate(secret);
  }

  public BlockingPeer authenticate(Secret secret) throws IOException {
    byte[] nonce = Handshake.nonce();
    send(1, new Hello(HandshakeMessage.VERSION, nonce));
    var challenge = (Challenge) read().message();
    send(2, Handshake.respond(secret, nonce, challenge));
    read();
    return this;
  }

  public void send(long correlation, Message message) throws IOException {
    sendRaw(Codec.encode(message, correlation).array());
  }

  public void sendRaw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** The header of the next frame, whose rest is left to be read. */
  public FrameHeader readHeader() throws IOException {
    byte[] header = new byte[FrameHeader.BYTES];
    in.readFully(header);
    return FrameHeader.decode(ByteBuffer.wrap(header), FrameHeader.MAX_BODY);
  }

  public Answer read() throws IOException {
    FrameHeader header = readHeader();
    byte[] body = new byte[header.bodyLength()];
    in.readFully(body);
    byte[] payload = new byte[header.payloadLength()];
    in.readFully(payload);
    return new Answer(header, Codec.decode(header, ByteBuffer.wrap(body)), payload);
  }

  /** The last frame: after it the server must have hung up. */
  public Message readLast() throws IOException {
    Message message = read().message();
    if (in.read() != -1) {
      throw new AssertionError("the server has more to say after " + message);
    }
    return message;
  }

  /** Whether the server hangs up, with whatever it says before. */
  public boolean seesEnd() {
    try {
      byte[] buffer = new byte[4096];
      while (in.read(buffer) != -1) {
        // whatever it says
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Ends with a reset, as a killed process with unread input does. */
  public void kill() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Says that nothing more will come. */
  public void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
