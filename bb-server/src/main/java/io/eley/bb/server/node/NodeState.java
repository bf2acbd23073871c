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
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The node between its link and its parts: the store is opened by the first view, which alone says
 * how files are cut and where the origin is; until then there is nothing to fetch or to serve.
 *
 * <p>Views come one at a time under the lock; the rest reads volatile fields.
 */
final class NodeState implements LinkedNode {
  private final Identity identity;
  private final PermitGate gate;
  private final BlockRequestHandler requests;
  private final ServedBytes served;
  private final NodeStorage.Opener opener;
  private final KnownView known = new KnownView();
  private volatile @Nullable NodeStorage storage;
  private volatile @Nullable NodeAddress told;

  /**
   * What a node knows of itself before it knows the deployment.
   *
   * @param id its name
   * @param listening host and port are those that it got; the host may be the wildcard
   * @param machine see {@link HostIdentity#machine}
   * @param capacityBytes the RAM budget
   */
  record Identity(NodeId id, NodeOptions.Listening listening, String machine, long capacityBytes) {}

  NodeState(
      Identity identity,
      PermitGate gate,
      BlockRequestHandler requests,
      ServedBytes served,
      NodeStorage.Opener opener) {
    this.identity = identity;
    this.gate = gate;
    this.requests = requests;
    this.served = served;
    this.opener = opener;
  }

  @Override
  public NodeId id() {
    return identity.id();
  }

  @Override
  public NodeAddress address(String localHost) {
    var listening = identity.listening();
    String host =
        HostIdentity.advertisedHost(listening.advertisedHost(), listening.host(), localHost);
    var address = new NodeAddress(identity.id(), host, listening.port(), identity.machine());
    told = address;
    return address;
  }

  /** The address reported to the coordinator last; there is one only after a registration. */
  NodeAddress address() {
    NodeAddress last = told;
    if (last == null) {
      throw new IllegalStateException("the node has not joined yet");
    }
    return last;
  }

  @Override
  public long capacityBytes() {
    return identity.capacityBytes();
  }

  @Override
  public synchronized void acceptNewCoordinator() {
    gate.acceptNewIssuer();
    known.acceptNewCoordinator();
  }

  @Override
  public synchronized void setView(View next) throws EleyException {
    if (storage == null) {
      NodeStorage opened = opener.open(next);
      storage = opened;
      requests.serve(opened.source());
      if (opened.scratch() != null) {
        requests.serveScratch(opened.scratch());
      }
    }
    if (known.take(next)) {
      gate.shareCappedRate(next.view().nodes().size());
      requests.setOwnership(new Ownership(identity.id(), next.view()));
    }
  }

  @Override
  public boolean permit(Permit permit) {
    return gate.apply(permit);
  }

  @Override
  public void fetch(List<BlockPart> parts) {
    NodeStorage open = storage;
    if (open != null) {
      open.fetcher().order(parts);
    }
  }

  @Override
  public void free(List<BlockId> blocks) {
    NodeStorage open = storage;
    if (open != null) {
      open.fetcher().cancel(blocks);
      open.store().free(blocks);
    }
  }

  @Override
  public void forgetOrders() {
    NodeStorage open = storage;
    if (open != null) {
      open.fetcher().forgetOrders();
    }
  }

  @Override
  public void dropScratch(DropScratch which) {
    NodeStorage open = storage;
    if (open != null && open.scratch() != null) {
      open.scratch().drop(which);
    }
  }

  @Override
  public Collection<BlockId> inventory() {
    NodeStorage open = storage;
    return open == null ? List.of() : open.store().inventory();
  }

  @Override
  public List<ReadTime> readsUnderWay() {
    NodeStorage open = storage;
    return open == null ? List.of() : open.fetcher().readsUnderWay();
  }

  @Override
  public NodeCounters counters() {
    NodeStorage open = storage;
    if (open == null) {
      return NodeCounters.starting(identity.capacityBytes(), gate.sequence());
    }
    NodeCounters.Scratch scratch = open.scratchCounters();
    open.store().checkRoom(scratch.unseenBytes());
    // Before what has arrived, lest a read that ends now be in neither.
    var underWay = new UnderWay(gate.bytesUnderWay(), open.fetcher().mostBytesAtOnce());
    return new NodeCounters(
        open.store().limitBytes(),
        open.store().usedBytes(),
        open.store().blockCount(),
        served.served(),
        served.hits(),
        open.fetcher().originBytes(),
        open.store().evictedBlocks(),
        open.fetcher().queued(),
        gate.sequence(),
        gate.prefetchOpen(),
        open.fetcher().hungCalls(),
        open.store().damagedBlocks(),
        open.store().squeezed(),
        open.store().partialBytes(),
        scratch,
        true,
        open.origin().throttled(),
        underWay);
  }

  /** Closes what the first view has opened; after the link and the server are closed. */
  void close() {
    NodeStorage open = storage;
    if (open != null) {
      open.close();
    }
  }
}
