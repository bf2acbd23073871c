package io.eley.coordinator;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage.BlocksChanged;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.NodeMessage.FreeBlocks;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.api.wire.NodeMessage.PermitApplied;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.Secret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node that obeys its coordinator at once, and remembers. */
final class FakeNode implements AutoCloseable {
  static final Duration DEADLINE = Duration.ofSeconds(30);

  final NodeId id;
  final List<BlockId> fetches = new CopyOnWriteArrayList<>();
  final List<BlockId> frees = new CopyOnWriteArrayList<>();
  final List<DropScratch> drops = new CopyOnWriteArrayList<>();
  final List<View> views = new CopyOnWriteArrayList<>();

  /** When prefetching was closed, and opened again: nanoseconds, and whether it is closed. */
  record Change(long at, boolean closed) {}

  final List<Change> changes = new CopyOnWriteArrayList<>();
  volatile GrantPermit permit;
  volatile boolean confirms = true;
  volatile Map<ReadCause, Long> originBytes = Map.of();
  volatile long servedBytes;
  volatile NodeCounters.Scratch scratch = NodeCounters.Scratch.NONE;
  private final Connection connection;
  private final int port;

  FakeNode(String name, int port, InetSocketAddress coordinator, Secret secret)
      throws EleyException {
    this.id = new NodeId(name);
    this.port = port;
    var options = ConnectionOptions.toCoordinator("fake-" + name, DEADLINE);
    this.connection =
        Connection.open(
            coordinator, new Credentials(secret, Identity.node(id)), options, this::pushed);
  }

  View register() throws EleyException {
    var address = new NodeAddress(id, "127.0.0.1", port, "here");
    return (View) connection.call(new Register(address, 1L << 30), DEADLINE);
  }

  /** Says its counters and waits until the coordinator has heard them. */
  void tells() throws EleyException {
    report(0);
    arrived(List.of());
  }

  /** One at a time, so that counters never arrive after newer ones. */
  private synchronized void report(long sequence) throws EleyException {
    connection.send(new PermitApplied(id, sequence, counters()));
  }

  /** From the next permit on. */
  void hasRead(long bytes) {
    originBytes = Map.of(ReadCause.PREFETCH, bytes);
  }

  private NodeCounters counters() {
    return new NodeCounters(
        1L << 30,
        7,
        1,
        servedBytes,
        servedBytes / 2,
        originBytes,
        0,
        3,
        0,
        true,
        0,
        0,
        false,
        0,
        scratch,
        true,
        0,
        UnderWay.NONE);
  }

  void arrived(List<BlockId> blocks) throws EleyException {
    connection.call(new BlocksChanged(id, blocks, List.of(), List.of()), DEADLINE);
  }

  /** Tells that blocks have left for intermediate data. */
  void yielded(List<BlockId> blocks) throws EleyException {
    connection.call(
        new BlocksChanged(id, List.of(), List.of(), blocks, blocks, List.of()), DEADLINE);
  }

  boolean connected() {
    return connection.isOpen();
  }

  private void pushed(Message message) {
    if (message instanceof GrantPermit grant) {
      boolean closed = grant.permit().prefetch().closed();
      if (permit == null || permit.permit().prefetch().closed() != closed) {
        changes.add(new Change(System.nanoTime(), closed));
      }
      permit = grant;
      confirm(grant.permit().sequence());
    } else if (message instanceof FetchBlocks m) {
      m.parts().forEach(part -> fetches.add(part.block()));
    } else if (message instanceof FreeBlocks m) {
      frees.addAll(m.blocks());
    } else if (message instanceof DropScratch drop) {
      drops.add(drop);
    } else if (message instanceof View view) {
      views.add(view);
    }
  }

  private void confirm(long sequence) {
    try {
      if (confirms) {
        report(sequence);
      }
    } catch (EleyException e) {
      connection.close();
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
