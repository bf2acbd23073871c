package io.eley.bb.server.net;

import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.FileRegion;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session over a Netty channel.
 *
 * <p>The problem: a node answers a 200-byte request with 16 MiB. A reader that asks faster than it
 * reads would make the node queue, and pin, without limit. So there are three places a reply can
 * be: in {@code queue}, with Netty, with the kernel. It moves from the first to the second only
 * while the channel is writable, that is, while less than the high mark is with Netty ({@link
 * RegionSizes} makes file regions count); and while {@code queue} is long the socket is not read,
 * so that requests stay with the peer.
 *
 * <p>Threads: {@code queue}, {@code paused} and {@code over} belong to the event loop; the other
 * threads hand it a task. The counters are volatile only to be looked at.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class NettySession implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(NettySession.class);

  /** Bytes of a payload that cost less to copy than to send by themselves; see docs/network.md. */
  private static final int TOGETHER = 64 << 10;

  private final SocketChannel channel;
  private final FrameServerOptions.Sending limits;
  private final FrameSealer sealer;
  private final String key;
  private final String peer;
  private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();
  private boolean paused;
  private boolean over;
  private volatile int queued;
  private final AtomicLong withNetty = new AtomicLong();
  private volatile @Nullable Object attachment;

  NettySession(
      SocketChannel channel, FrameServerOptions.Sending limits, FrameSealer sealer, String key) {
    this.key = key;
    this.channel = channel;
    this.limits = limits;
    this.sealer = sealer;
    this.peer =
        channel.remoteAddress().getAddress().getHostAddress()
            + ":"
            + channel.remoteAddress().getPort();
  }

  /** A frame that has not been handed to Netty. */
  private record Outgoing(long correlation, Message message, @Nullable FilePart payload) {
    void drop() {
      if (payload != null) {
        payload.released().run();
      }
    }
  }

  @Override
  public void reply(long correlation, Message message) {
    submit(new Outgoing(correlation, message, null));
  }

  @Override
  public void push(Message message) {
    submit(new Outgoing(FrameHeader.PUSH, message, null));
  }

  @Override
  public void replyBlock(long correlation, BlockData header, FilePart bytes) {
    submit(new Outgoing(correlation, header, bytes));
  }

  private void submit(Outgoing outgoing) {
    if (channel.eventLoop().inEventLoop()) {
      enqueue(outgoing);
      return;
    }
    try {
      channel.eventLoop().execute(() -> enqueue(outgoing));
    } catch (RejectedExecutionException e) {
      // The server has stopped; its connections are gone.
      outgoing.drop();
    }
  }

  private void enqueue(Outgoing outgoing) {
    if (over) {
      outgoing.drop();
      return;
    }
    queue.add(outgoing);
    drain();
    if (queue.size() >= limits.maxQueued()) {
      LOG.warn("disconnecting {}: it does not read, {} messages are queued", peer, queue.size());
      channel.close();
    } else if (queue.size() >= limits.pauseAt() && !paused) {
      paused = true;
      channel.config().setAutoRead(false);
    }
  }

  /** Hands Netty what it takes; on the event loop, whenever the channel may have got writable. */
  void drain() {
    boolean wrote = false;
    while (channel.isWritable()) {
      Outgoing next = queue.poll();
      if (next == null) {
        break;
      }
      write(next);
      wrote = true;
    }
    queued = queue.size();
    if (wrote) {
      channel.flush();
    }
    if (paused && queue.size() <= limits.pauseAt() / 2) {
      paused = false;
      channel.config().setAutoRead(true);
    }
  }

  private void write(Outgoing next) {
    FilePart payload = next.payload();
    int length = payload == null ? 0 : payload.length();
    var head = sealer.seal(Codec.encode(next.message(), next.correlation(), length));
    if (payload == null) {
      note(channel.write(Unpooled.wrappedBuffer(head)), head.remaining());
    } else if (leavesAtOnce(payload)) {
      writeTogether(head, payload);
    } else {
      channel.write(Unpooled.wrappedBuffer(head));
      FileRegion region = region(payload);
      note(channel.write(region), head.remaining() + region.count());
    }
  }

  /**
   * A small payload behind a header of its own is two packets, and its reader is woken twice. One
   * at a time, since the copy is memory, which must not wait for a peer that does not read.
   */
  private boolean leavesAtOnce(FilePart payload) {
    return payload.length() <= TOGETHER
        && withNetty.get() == 0
        && sealer.protection().leavesPayloadsBare();
  }

  private void writeTogether(ByteBuffer head, FilePart payload) {
    try {
      ByteBuf frame = together(head, payload);
      int bytes = frame.readableBytes();
      note(channel.write(frame), bytes);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Without memory for a copy, too: whoever sends would else never give the block's pin back.
      LOG.warn("disconnecting {}: cannot read what it was promised", peer, e);
      channel.close();
    } finally {
      payload.released().run();
    }
  }

  private ByteBuf together(ByteBuffer head, FilePart payload) throws IOException {
    ByteBuf frame = channel.alloc().directBuffer(head.remaining() + payload.length());
    try {
      frame.writeBytes(head);
      payload.readInto(frame);
      return frame;
    } catch (IOException | RuntimeException | Error e) {
      frame.release();
      throw e;
    }
  }

  /** Counts what is with Netty until it has left. */
  private void note(ChannelFuture sent, long bytes) {
    withNetty.addAndGet(bytes);
    sent.addListener(done -> withNetty.addAndGet(-bytes));
  }

  /**
   * A payload as it leaves: the numbers of its records are taken now, before those of later ones.
   */
  private FileRegion region(FilePart payload) {
    return sealer.protection().leavesPayloadsBare()
        ? new PinnedRegion(payload)
        : new SealedRegion(payload, sealer.payload(payload.length()), channel.alloc());
  }

  /**
   * Ends the session after its connection: nothing is sent any more, and everything is released.
   * Runs on the event loop.
   */
  void end() {
    over = true;
    for (var left = queue.poll(); left != null; left = queue.poll()) {
      left.drop();
    }
    queued = 0;
  }

  /**
   * Closes the connection if bytes are waiting, since none has been sent for the whole of the
   * limit: the peer is dead.
   */
  void closeIfStalled() {
    if (withNetty.get() > 0) {
      LOG.warn("disconnecting {}: it has read nothing for {}", peer, limits.stalled());
      channel.close();
    }
  }

  @Override
  public boolean writable() {
    return channel.isWritable() && queued == 0;
  }

  /** Bytes that Netty holds, of memory or of files. */
  long withNettyBytes() {
    return withNetty.get();
  }

  /** Messages that wait for the channel to be writable. */
  int queuedMessages() {
    return queued;
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public String localHost() {
    return channel.localAddress().getAddress().getHostAddress();
  }

  @Override
  public void close() {
    channel.close();
  }

  @Override
  public @Nullable Object attachment() {
    return attachment;
  }

  @Override
  public void attach(@Nullable Object value) {
    attachment = value;
  }

  @Override
  public String toString() {
    return "session of " + peer;
  }
}
