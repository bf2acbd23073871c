package io.eley.bb.server.node;

import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.Status;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage.BlocksChanged;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.NodeMessage.FreeBlocks;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.api.wire.NodeMessage.OriginRead;
import io.eley.bb.api.wire.NodeMessage.PermitApplied;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.net.BlockingPeer;
import io.eley.bb.server.net.FrameServer;
import io.eley.bb.server.net.FrameServerOptions;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.net.SessionHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A coordinator that does what the test says and records what nodes say. */
final class FakeCoordinator implements AutoCloseable, SessionHandler {
  static final BlockGeometry GEOMETRY = new BlockGeometry(64 << 10, 16 << 10);

  private static final Duration LIFE = Duration.ofMinutes(5);

  final Map<NodeId, NodeAddress> nodes = new ConcurrentHashMap<>();
  final Map<NodeId, Session> sessions = new ConcurrentHashMap<>();
  final Set<BlockId> buffered = ConcurrentHashMap.newKeySet();
  final List<BlocksChanged> changes = new CopyOnWriteArrayList<>();
  final AtomicLong confirmed = new AtomicLong();
  private final AtomicLong epoch = new AtomicLong();
  private final AtomicLong sequence = new AtomicLong();

  /** What a node has said last. */
  volatile @Nullable NodeCounters counters;

  private final Path origin;
  private final FrameServer server;

  FakeCoordinator(Path origin, Secret secret) throws EleyException {
    this(origin, secret, 0);
  }

  FakeCoordinator(Path origin, Secret secret, int port) throws EleyException {
    this.origin = origin;
    // Nodes and clients of every setting talk to it.
    this.server =
        FrameServer.start(
            new FrameServerOptions("127.0.0.1", port, "fake-coordinator")
                .withLimits(BlockingPeer.PATIENT),
            new Credentials(secret, Identity.COORDINATOR, NetworkProtection.ENCRYPT),
            this);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  @Override
  public void opened(Session session) {}

  @Override
  public void received(Session session, long correlation, Message message) {
    if (message instanceof Register register) {
      nodes.put(register.address().id(), register.address());
      sessions.put(register.address().id(), session);
      epoch.incrementAndGet();
      session.reply(correlation, view());
    } else if (message instanceof BlocksChanged changed) {
      changes.add(changed);
      buffered.addAll(changed.arrived());
      changed.dropped().forEach(buffered::remove);
      session.reply(correlation, new Ok());
    } else if (message instanceof PermitApplied applied) {
      counters = applied.counters();
      confirmed.set(applied.sequence());
    } else if (message instanceof OriginRead) {
      // Not answered.
    } else if (message instanceof GetView) {
      session.reply(correlation, view());
    } else if (message instanceof GetStatus status) {
      session.reply(correlation, status(status.path()));
    } else {
      session.reply(correlation, new Failure(ErrorCode.INTERNAL, "not scripted"));
    }
  }

  private Message status(String path) {
    // Blocks the event loop, which only this test's few sessions share.
    try (var mounted = MountedOrigin.open(origin)) {
      return new Status(mounted.stat(path), Duration.ZERO);
    } catch (EleyException e) {
      return Failure.of(e);
    }
  }

  @Override
  public void closed(Session session) {
    sessions.values().remove(session);
  }

  View view() {
    return new View(
        new ClusterView(epoch.get(), GEOMETRY, BufferMode.FULL_DELAY, List.copyOf(nodes.values())),
        origin.toString());
  }

  /** Pushes a view with one more node, which does not exist. */
  void pretendNode(NodeAddress address) {
    nodes.put(address.id(), address);
    epoch.incrementAndGet();
    push(view());
  }

  /** Lets clients take a node for one of another machine. */
  void pretendMachine(NodeId id, String machine) {
    nodes.computeIfPresent(id, (i, node) -> new NodeAddress(i, node.host(), node.port(), machine));
    epoch.incrementAndGet();
    push(view());
  }

  void open() {
    permit(Permit.Lane.OPEN, Permit.Lane.OPEN);
  }

  void shut() {
    permit(Permit.Lane.CLOSED, Permit.Lane.CLOSED);
  }

  /** Grants and waits for the confirmation. */
  void permit(Permit.Lane prefetch, Permit.Lane demand) {
    permit(prefetch, demand, LIFE);
  }

  /** Grants for a while and waits for the confirmation. */
  void permit(Permit.Lane prefetch, Permit.Lane demand, Duration life) {
    long next = grant(prefetch, demand, life);
    await().pollInterval(Duration.ofMillis(1)).until(() -> confirmed.get() == next);
  }

  /** Grants and waits for nothing. */
  long grant(Permit.Lane prefetch, Permit.Lane demand) {
    return grant(prefetch, demand, LIFE);
  }

  /** Grants for a while and waits for nothing. */
  long grant(Permit.Lane prefetch, Permit.Lane demand, Duration life) {
    long next = sequence.incrementAndGet();
    push(new GrantPermit(new Permit(next, prefetch, demand, life, "the test")));
    return next;
  }

  void fetch(List<BlockId> blocks) {
    push(new FetchBlocks(BlockPart.whole(blocks)));
  }

  void free(List<BlockId> blocks) {
    push(new FreeBlocks(blocks));
  }

  private void push(Message message) {
    sessions.values().forEach(s -> s.push(message));
  }

  @Override
  public void close() {
    server.close();
  }
}
