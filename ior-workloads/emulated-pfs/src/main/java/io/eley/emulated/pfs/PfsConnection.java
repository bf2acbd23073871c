package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of one connection: bytes to messages, the handshake before anything else, and
 * answers back without ever blocking.
 *
 * <p>{@link #readable} and {@link #writable} belong to the network thread; {@link #send} may be
 * called from any thread. What the peer does not read is kept up to {@value #MAX_UNSENT_BYTES}
 * bytes, then the connection is closed: a client that asks and does not listen cannot hold up the
 * others.
 */
final class PfsConnection {
  static final int MAX_UNSENT_BYTES = 8 << 20;

  /** Receives an authenticated client's messages. Runs on the network thread. */
  interface Listener {
    void received(PfsConnection connection, PfsMessage message) throws EleyException;
  }

  private final SocketChannel channel;
  private final SelectionKey key;
  private final Secret secret;
  private final Listener listener;
  private final ByteBuffer in = ByteBuffer.allocate(64 << 10);
  private final ArrayDeque<ByteBuffer> unsent = new ArrayDeque<>();
  private long unsentBytes;

  private Handshake.@Nullable Server handshake;
  private boolean authenticated;
  private @Nullable String client;

  PfsConnection(SocketChannel channel, SelectionKey key, Secret secret, Listener listener) {
    this.channel = channel;
    this.key = key;
    this.secret = secret;
    this.listener = listener;
  }

  /** The label the client introduced itself with; set before any request reaches the listener. */
  String client() {
    String known = client;
    if (known == null) {
      throw new IllegalStateException("not introduced");
    }
    return known;
  }

  /**
   * Reads what has come and hands over the complete messages.
   *
   * @return false when the peer is gone or was refused, and the connection is to be closed
   */
  boolean readable() {
    try {
      int count = channel.read(in);
      in.flip();
      boolean more = true;
      while (more) {
        more = authenticated ? takeMessage() : takeHandshake();
      }
      in.compact();
      return count >= 0;
    } catch (EleyException e) {
      refuse(e);
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Sends what waits.
   *
   * @return false when the connection is to be closed
   */
  synchronized boolean writable() {
    try {
      while (!unsent.isEmpty()) {
        ByteBuffer head = unsent.element();
        unsentBytes -= channel.write(head);
        if (head.hasRemaining()) {
          return true;
        }
        unsent.remove();
      }
      key.interestOps(SelectionKey.OP_READ);
      return true;
    } catch (IOException | java.nio.channels.CancelledKeyException e) {
      return false;
    }
  }

  /** Sends a message now, or queues it. A connection that fails is closed. */
  void send(PfsMessage message) {
    sendFrame(PfsMessage.encode(message));
  }

  /** Closes the socket and lets the network thread know, which forgets the connection. */
  void close() {
    try {
      channel.close();
      key.selector().wakeup();
    } catch (IOException e) {
      // The peer is gone, and the descriptor is closed either way.
    }
  }

  private synchronized void sendFrame(ByteBuffer frame) {
    try {
      if (unsent.isEmpty()) {
        channel.write(frame);
      }
      if (frame.hasRemaining()) {
        unsent.add(frame);
        unsentBytes += frame.remaining();
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        key.selector().wakeup();
      }
      if (unsentBytes > MAX_UNSENT_BYTES) {
        close();
      }
    } catch (IOException | java.nio.channels.CancelledKeyException e) {
      close();
    }
  }

  private boolean takeMessage() throws EleyException {
    ByteBuffer body = takeBody(PfsMessage.PREFIX_BYTES, in.remaining() < 4 ? 0 : lengthAhead());
    if (body == null) {
      return false;
    }
    PfsMessage message = PfsMessage.decode(body);
    if (message instanceof PfsMessage.Introduce introduction) {
      client = introduction.client();
    } else if (client == null) {
      throw malformed("a request before an introduction");
    } else {
      listener.received(this, message);
    }
    return true;
  }

  private int lengthAhead() throws EleyException {
    int length = in.getInt(in.position());
    if (length < 1 || length > PfsMessage.MAX_CLIENT_FRAME) {
      throw malformed("frame of " + Integer.toUnsignedString(length) + " bytes");
    }
    return length;
  }

  private boolean takeHandshake() throws IOException {
    if (in.remaining() < FrameHeader.BYTES) {
      return false;
    }
    var header = FrameHeader.decode(in.duplicate(), FrameHeader.MAX_HANDSHAKE_BODY);
    ByteBuffer body = takeBody(FrameHeader.BYTES, header.bodyLength());
    if (body == null) {
      return false;
    }
    Message message = Codec.decode(header, body);
    Handshake.Server begun = handshake;
    if (message instanceof HandshakeMessage.Hello hello && begun == null) {
      begun = new Handshake.Server(new Credentials(secret, Identity.ORIGIN), ends(), hello);
      handshake = begun;
      sendFrame(Codec.encode(begun.challenge(), header.correlation()));
    } else if (message instanceof HandshakeMessage.Proof proof && begun != null) {
      begun.verify(proof);
      authenticated = true;
      sendFrame(Codec.encode(new ReplyMessage.Ok(), header.correlation()));
    } else {
      throw malformed(message.type() + " out of turn");
    }
    return true;
  }

  private Endpoints ends() throws IOException {
    return new Endpoints(
        (InetSocketAddress) channel.getRemoteAddress(),
        (InetSocketAddress) channel.getLocalAddress());
  }

  /** The body behind a prefix, consumed with it, or null while it is incomplete. */
  private @Nullable ByteBuffer takeBody(int prefix, int length) {
    if (in.remaining() < prefix + length) {
      return null;
    }
    ByteBuffer body = in.slice(in.position() + prefix, length);
    in.position(in.position() + prefix + length);
    return body;
  }

  /** Before authentication the reason is sent; after it a client of ours does not misbehave. */
  private void refuse(EleyException e) {
    if (!authenticated) {
      sendFrame(Codec.encode(ReplyMessage.Failure.of(e), FrameHeader.PUSH));
    }
  }

  private static EleyException malformed(String what) {
    return new EleyException(ErrorCode.MALFORMED, "malformed message to the emulated PFS: " + what);
  }
}
