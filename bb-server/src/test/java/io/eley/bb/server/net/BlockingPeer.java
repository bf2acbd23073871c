package io.eley.bb.server.net;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage.Challenge;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.api.wire.SecuredFrames;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  /** Who the servers of this package's tests say they are. */
  public static final Identity SERVER = Identity.COORDINATOR;

  /** Limits of a server whose honest peers may stand still for a while on a busy machine. */
  public static final FrameServerOptions.Limits PATIENT =
      FrameServerOptions.Limits.of(
          new NetworkOptions(NetworkProtection.AUTO, Duration.ofSeconds(20)));

  private final Socket socket;
  private final DataInputStream in;
  private @Nullable SecuredFrames frames;

  private BlockingPeer(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
  }

  /** A connection without handshake. */
  public static BlockingPeer connect(int port) throws IOException {
    return connect(port, 0);
  }

  /** The same to a server that listens elsewhere than at 127.0.0.1. */
  public static BlockingPeer connect(String host, int port) throws IOException {
    return connect(new InetSocketAddress(host, port), 0);
  }

  /** With a small receive buffer, so that the server soon feels a slow reader. */
  public static BlockingPeer connect(int port, int receiveBuffer) throws IOException {
    return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), receiveBuffer);
  }

  private static BlockingPeer connect(InetSocketAddress server, int receiveBuffer)
      throws IOException {
    var socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    socket.connect(server);
    return new BlockingPeer(socket);
  }

  /** A client of {@link #SERVER}, whose handshake is over. */
  public static BlockingPeer authenticated(int port, Secret secret) throws IOException {
    return connect(port).authenticate(secret);
  }

  /** Does the handshake with {@link #SERVER}. */
  public BlockingPeer authenticate(Secret secret) throws IOException {
    return authenticate(secret, SERVER);
  }

  public BlockingPeer authenticate(Secret secret, Identity dialled) throws IOException {
    return authenticate(new Credentials(secret, Identity.CLIENT), dialled);
  }

  /** The same with a key's name. */
  public BlockingPeer authenticate(Credentials credentials, Identity dialled) throws IOException {
    var half = new Handshake.Client(credentials, dialled, ends());
    send(1, half.hello());
    var agreement = half.respond((Challenge) read().message());
    send(2, agreement.proof());
    frames = agreement.frames();
    read();
    return this;
  }

  /** The ends of this connection as its own socket has them. */
  public Endpoints ends() {
    return new Endpoints(
        (InetSocketAddress) socket.getLocalSocketAddress(),
        (InetSocketAddress) socket.getRemoteSocketAddress());
  }

  public void send(long correlation, Message message) throws IOException {
    sendRaw(outgoing(Codec.encode(message, correlation)));
  }

  /** Sends a message with a payload, all of it in one piece. */
  public void send(long correlation, Message message, byte[] payload) throws IOException {
    sendRaw(outgoing(correlation, message, payload));
  }

  /** A frame with a payload as it would leave now. */
  public byte[] outgoing(long correlation, Message message, byte[] payload) throws IOException {
    SecuredFrames secured = Objects.requireNonNull(frames);
    var bytes = new ByteArrayOutputStream();
    bytes.write(outgoing(Codec.encode(message, correlation, payload.length)));
    if (secured.out().protection().leavesPayloadsBare()) {
      bytes.write(payload);
      return bytes.toByteArray();
    }
    FrameSealer.Payload records = secured.out().payload(payload.length);
    for (int at = 0; at < payload.length; ) {
      int length = records.nextLength();
      var record = ByteBuffer.allocate(length + FrameSealer.TAG_BYTES);
      records.seal(ByteBuffer.wrap(payload, at, length), record);
      bytes.write(record.array());
      at += length;
    }
    return bytes.toByteArray();
  }

  /** Sends a frame sealed, if the handshake is over, however wrong it is. */
  public void sendFrame(byte[] frame) throws IOException {
    sendRaw(outgoing(ByteBuffer.wrap(frame)));
  }

  /** A frame as it would leave now. */
  public byte[] outgoing(ByteBuffer frame) {
    SecuredFrames secured = frames;
    ByteBuffer sealed = secured == null ? frame : secured.out().seal(frame);
    byte[] bytes = new byte[sealed.remaining()];
    sealed.get(bytes);
    return bytes;
  }

  public void sendRaw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** The header of the next frame, whose payload is left to be read. */
  public FrameHeader readHeader() throws IOException {
    return readHead().header();
  }

  public Answer read() throws IOException {
    Answer head = readHead();
    return new Answer(head.header(), head.message(), payload(head.header().payloadLength()));
  }

  private Answer readHead() throws IOException {
    SecuredFrames secured = frames;
    int prefix = in.readInt();
    if (secured == null || !FrameOpener.sealed(prefix)) {
      ByteBuffer start = bytes(prefix, FrameHeader.BYTES - Integer.BYTES);
      FrameHeader header = FrameHeader.decode(start, FrameHeader.MAX_BODY);
      byte[] body = new byte[header.bodyLength()];
      in.readFully(body);
      return new Answer(header, Codec.decode(header, ByteBuffer.wrap(body)), new byte[0]);
    }
    ByteBuffer frame = secured.in().open(bytes(prefix, FrameOpener.lengthBehind(prefix)));
    FrameHeader header = FrameOpener.header(frame);
    return new Answer(header, Codec.decode(header, frame), new byte[0]);
  }

  private ByteBuffer bytes(int prefix, int more) throws IOException {
    byte[] rest = new byte[more];
    in.readFully(rest);
    return ByteBuffer.allocate(Integer.BYTES + more).putInt(prefix).put(rest).flip();
  }

  private byte[] payload(int length) throws IOException {
    SecuredFrames secured = frames;
    byte[] payload = new byte[length];
    if (secured == null || secured.in().protection().leavesPayloadsBare()) {
      in.readFully(payload);
      return payload;
    }
    for (int at = 0; at < length; ) {
      int piece = Math.min(FrameSealer.PIECE, length - at);
      byte[] record = new byte[piece + FrameSealer.TAG_BYTES];
      in.readFully(record);
      take(secured.in(), record, ByteBuffer.wrap(payload, at, piece));
      at += piece;
    }
    return payload;
  }

  private static void take(FrameOpener opener, byte[] record, ByteBuffer target)
      throws IOException {
    int piece = target.remaining();
    if (opener.protection().encrypts()) {
      opener.openPiece(ByteBuffer.wrap(record), target);
    } else {
      target.put(record, 0, piece);
      opener.checkPiece(
          ByteBuffer.wrap(record, 0, piece), ByteBuffer.wrap(record, piece, FrameSealer.TAG_BYTES));
    }
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
