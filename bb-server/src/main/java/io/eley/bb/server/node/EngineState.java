package io.eley.bb.server.node;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.server.engine.EngineLoader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node whose blocks are in another engine, as its link sees it: {@link NodeState}'s counterpart.
 * The first view opens the engine. Views come one at a time under the lock.
 */
final class EngineState implements LinkedNode {
  private final NodeId id;
  private final NodeOptions.Listening listening;
  private final PermitGate gate;
  private final EngineRequests requests;
  private final ServedBytes served;
  private final Opener opener;
  private final long capacityBytes;
  private final KnownView known = new KnownView();
  private volatile @Nullable EngineLoader loader;

  /** Opens the engine with what the first view says. */
  @FunctionalInterface
  interface Opener {
    EngineLoader open(View view) throws EleyException;
  }

  EngineState(
      NodeId id,
      NodeOptions.Listening listening,
      long capacityBytes,
      PermitGate gate,
      EngineRequests requests,
      ServedBytes served,
      Opener opener) {
    this.id = id;
    this.listening = listening;
    this.capacityBytes = capacityBytes;
    this.gate = gate;
    this.requests = requests;
    this.served = served;
    this.opener = opener;
  }

  @Override
  public NodeId id() {
    return id;
  }

  @Override
  public NodeAddress address(String localHost) {
    String host =
        HostIdentity.advertisedHost(listening.advertisedHost(), listening.host(), localHost);
    return new NodeAddress(id, host, listening.port(), NodeAddress.ENGINE);
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public synchronized void acceptNewCoordinator() {
    gate.acceptNewIssuer();
    known.acceptNewCoordinator();
  }

  @Override
  public synchronized void setView(View next) throws EleyException {
    if (loader == null) {
      EngineLoader opened = opener.open(next);
      loader = opened;
      requests.serve(opened, next.view().geometry());
    }
    if (known.take(next)) {
      gate.shareCappedRate(next.view().nodes().size());
      requests.setOwnership(new Ownership(id, next.view()));
    }
  }

  @Override
  public boolean permit(Permit permit) {
    return gate.apply(permit);
  }

  /** Whole blocks, whatever pages are wanted of them: an engine loads nothing smaller. */
  @Override
  public void fetch(List<BlockPart> parts) {
    EngineLoader open = loader;
    if (open != null) {
      open.order(parts.stream().map(BlockPart::block).toList());
    }
  }

  @Override
  public void free(List<BlockId> blocks) {
    EngineLoader open = loader;
    if (open != null) {
      open.free(blocks);
    }
  }

  @Override
  public void forgetOrders() {
    EngineLoader open = loader;
    if (open != null) {
      open.forgetOrders();
    }
  }

  /** There is none: intermediate data stays with Spark. */
  @Override
  public void dropScratch(DropScratch which) {}

  /** Each load is one read of the origin, and is reported when it has ended. */
  @Override
  public List<ReadTime> readsUnderWay() {
    return List.of();
  }

  @Override
  public Collection<BlockId> inventory() {
    EngineLoader open = loader;
    return open == null ? List.of() : open.inventory();
  }

  @Override
  public NodeCounters counters() {
    EngineLoader open = loader;
    if (open == null) {
      return NodeCounters.starting(capacityBytes, gate.sequence());
    }
    // Before what has arrived, lest a load that ends now be in neither.
    var underWay = new UnderWay(gate.bytesUnderWay(), open.mostBytesAtOnce());
    EngineLoader.Counters now = open.counters();
    var counters =
        new NodeCounters(
            capacityBytes,
            now.usedBytes(),
            now.blocks(),
            served.served(),
            served.hits(),
            now.originBytes(),
            now.gone(),
            now.queued(),
            gate.sequence(),
            gate.prefetchOpen(),
            now.hung());
    return counters.with(underWay);
  }

  /** Fails readers that have waited for longer than this; any thread. */
  void giveUpWaiting(Duration longest, EleyException why) {
    EngineLoader open = loader;
    if (open != null) {
      open.giveUp(longest, why);
    }
  }

  /** Ends what the first view has opened. */
  void close() {
    EngineLoader open = loader;
    if (open != null) {
      open.close();
    }
  }
}
