package io.eley.bb.api.client;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage.Hello;
import io.eley.bb.api.wire.HandshakeMessage.Proof;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.SealedPair;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.api.wire.SecuredFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server that shakes hands as a node does and then does what the script says, however wrong. One
 * thread a connection; every request is written down.
 */
final class ScriptedServer implements AutoCloseable {
  /** What happens on a request. */
  interface Script {
    void on(Peer peer, long correlation, Message request) throws IOException;
  }

  private final ServerSocket listener;
  private final Secret secret;
  private final Script script;
  private final Function<Socket, Endpoints> ends;
  private volatile Identity identity = Identity.COORDINATOR;
  private volatile NetworkProtection protection = NetworkProtection.AUTO;
  private final List<Message> requests = new CopyOnWriteArrayList<>();
  private volatile boolean deaf;
  private volatile boolean frozen;
  private volatile boolean closed;
  private final List<Peer> peers = new CopyOnWriteArrayList<>();

  /** A coordinator, until it is told otherwise. */
  ScriptedServer(Secret secret, Script script) throws IOException {
    this(secret, script, ScriptedServer::ends);
  }

  /**
   * A server that can be made to see other ends than there are, so that something can stand in the
   * middle.
   */
  ScriptedServer(Secret secret, Script script, Function<Socket, Endpoints> ends)
      throws IOException {
    this.secret = secret;
    this.script = script;
    this.ends = ends;
    listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  /** From now on the script answers, or does not, when somebody asks whether this server lives. */
  void setDeaf(boolean now) {
    deaf = now;
  }

  /** As a process that was stopped: the kernel accepts, and nothing is answered any more. */
  void freeze() {
    frozen = true;
  }

  /** Who it says it is from the next connection on. */
  ScriptedServer as(Identity who) {
    identity = who;
    return this;
  }

  /** How it protects the next connections. */
  ScriptedServer with(NetworkProtection setting) {
    protection = setting;
    return this;
  }

  static Endpoints ends(Socket socket) {
    return new Endpoints(
        (InetSocketAddress) socket.getRemoteSocketAddress(),
        (InetSocketAddress) socket.getLocalSocketAddress());
  }

  InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  List<Message> requests() {
    return requests;
  }

  int connections() {
    return peers.size();
  }

  /** One connection. */
  static final class Peer {
    private final Socket socket;
    private volatile @Nullable SecuredFrames frames;

    Peer(Socket socket) {
      this.socket = socket;
    }

    void send(long correlation, Message message) throws IOException {
      synchronized (socket) {
        raw(SealedPair.frame(sealer(), message, correlation, new byte[0]));
      }
    }

    private FrameSealer sealer() {
      return Objects.requireNonNull(frames, "before the handshake").out();
    }

    /** A frame with a payload, of which only a part is sent where payloads are bare. */
    void data(long correlation, BlockData data, int announced, byte[] payload) throws IOException {
      synchronized (socket) {
        byte[] all = Arrays.copyOf(payload, announced);
        byte[] frame = SealedPair.frame(sealer(), data, correlation, all);
        raw(Arrays.copyOf(frame, frame.length - announced + payload.length));
      }
    }

    void raw(byte[] bytes) throws IOException {
      synchronized (socket) {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
      }
    }

    void hangUp() throws IOException {
      socket.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        // A frame and its payload are two writes: the second must not wait for an acknowledgement.
        socket.setTcpNoDelay(true);
        var peer = new Peer(socket);
        peers.add(peer);
        if (closed) {
          // The kernel keeps the listener for as long as a thread is in accept(2).
          peer.hangUp();
        }
        daemon(() -> serve(peer));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Peer peer) {
    try {
      var in = new DataInputStream(peer.socket.getInputStream());
      if (frozen) {
        return;
      }
      var credentials = new Credentials(secret, identity, protection);
      Frame hello = readClear(in);
      var handshake =
          new Handshake.Server(credentials, ends.apply(peer.socket), (Hello) hello.message());
      peer.raw(Codec.encode(handshake.challenge(), hello.correlation()).array());
      Frame proof = readClear(in);
      SecuredFrames frames = handshake.verify((Proof) proof.message());
      peer.frames = frames;
      peer.send(proof.correlation(), new Ok());
      while (true) {
        Frame request = read(in, frames.in());
        in.skipNBytes(request.payloadLength()); // where payloads are bare
        if (frozen) {
          requests.add(request.message());
          continue;
        }
        if (request.message() instanceof PingMessage && !deaf) {
          peer.send(request.correlation(), new Ok());
          continue;
        }
        requests.add(request.message());
        script.on(peer, request.correlation(), request.message());
      }
    } catch (IOException | RuntimeException e) {
      try {
        peer.hangUp();
      } catch (IOException again) {
        // it is closed
      }
    }
  }

  private record Frame(long correlation, Message message, int payloadLength) {}

  private static Frame read(DataInputStream in, FrameOpener opener) throws IOException {
    int prefix = in.readInt();
    byte[] rest = new byte[FrameOpener.lengthBehind(prefix)];
    in.readFully(rest);
    var sealed = ByteBuffer.allocate(Integer.BYTES + rest.length).putInt(prefix).put(rest).flip();
    ByteBuffer frame = opener.open(sealed);
    var header = FrameOpener.header(frame);
    return new Frame(header.correlation(), Codec.decode(header, frame), header.payloadLength());
  }

  private static Frame readClear(DataInputStream in) throws IOException {
    byte[] bytes = new byte[FrameHeader.BYTES];
    in.readFully(bytes);
    var header = FrameHeader.decode(ByteBuffer.wrap(bytes), FrameHeader.MAX_BODY);
    byte[] body = new byte[header.bodyLength()];
    in.readFully(body);
    return new Frame(header.correlation(), Codec.decode(header, ByteBuffer.wrap(body)), 0);
  }

  private static void daemon(Runnable work) {
    var thread = new Thread(work, "scripted-server");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    for (Peer peer : peers) {
      peer.hangUp();
    }
  }
}
