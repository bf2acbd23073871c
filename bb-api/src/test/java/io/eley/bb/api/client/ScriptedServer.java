package io.eley.bb.api.client;

import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage.Hello;
import io.eley.bb.api.wire.HandshakeMessage.Proof;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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
  private final List<Message> requests = new CopyOnWriteArrayList<>();
  private volatile boolean deaf;
  private volatile boolean frozen;
  private volatile boolean closed;
  private final List<Peer> peers = new CopyOnWriteArrayList<>();

  ScriptedServer(Secret secret, Script script) throws IOException {
    this.secret = secret;
    this.script = script;
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

    Peer(Socket socket) {
      this.socket = socket;
    }

    void send(long correlation, Message message) throws IOException {
      raw(Codec.encode(message, correlation).array());
    }

    /** A frame with a payload of which only a part is sent. */
    void data(long correlation, BlockData data, int announced, byte[] payload) throws IOException {
      ByteBuffer frame = Codec.encode(data, correlation);
      frame.putInt(Integer.BYTES, announced);
      byte[] bytes = new byte[frame.remaining()];
      frame.get(bytes);
      raw(bytes);
      raw(payload);
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
      var handshake = Handshake.accept(secret, (Hello) read(in).message());
      peer.send(1, handshake.challenge());
      Frame proof = read(in);
      handshake.verify((Proof) proof.message());
      peer.send(proof.correlation(), new Ok());
      while (true) {
        Frame request = read(in);
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

  private record Frame(long correlation, Message message) {}

  private static Frame read(DataInputStream in) throws IOException {
    byte[] bytes = new byte[FrameHeader.BYTES];
    in.readFully(bytes);
    var header = FrameHeader.decode(ByteBuffer.wrap(bytes), FrameHeader.MAX_BODY);
    byte[] body = new byte[header.bodyLength()];
    in.readFully(body);
    return new Frame(header.correlation(), Codec.decode(header, ByteBuffer.wrap(body)));
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
