package io.eley.coordinator.members;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.NodeMessage.FreeBlocks;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.server.net.Session;
import io.eley.controller.loop.BufferNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * One registration of one node: its address, its connection, and what it reported last. To the
 * loops it is a {@link BufferNode}. The agent owns it.
 */
final class Member implements BufferNode {
  /** Bytes of a message, roughly; small, since a permit must not queue behind a megabyte. */
  private static final int BATCH_BYTES = 64 << 10;

  private final NodeAddress address;
  private final Session session;
  private long heardAt;
  private NodeCounters counters;

  Member(NodeAddress address, long capacityBytes, Session session, long now) {
    this.address = address;
    this.session = session;
    this.heardAt = now;
    this.counters = NodeCounters.starting(capacityBytes, 0);
  }

  NodeAddress address() {
    return address;
  }

  Session session() {
    return session;
  }

  /** Notes that a message of the node has arrived. */
  void noteAlive(long now) {
    heardAt = now;
  }

  /** Takes the counters that the node reported. */
  void noteCounters(NodeCounters newer, long now) {
    heardAt = now;
    counters = newer;
  }

  @Override
  public NodeId id() {
    return address.id();
  }

  @Override
  public void grant(Permit permit) {
    session.push(new GrantPermit(permit));
  }

  @Override
  public void free(List<BlockId> blocks) {
    push(blocks, Member::bytes, FreeBlocks::new);
  }

  @Override
  public void fetch(List<BlockPart> parts) {
    push(
        parts,
        part -> bytes(part.block()) + part.pages().words().length * Long.BYTES,
        FetchBlocks::new);
  }

  private static int bytes(BlockId block) {
    return 52 + 3 * block.file().path().length();
  }

  private <T> void push(List<T> all, ToIntFunction<T> size, Function<List<T>, Message> message) {
    var batch = new ArrayList<T>();
    int bytes = 0;
    for (T one : all) {
      batch.add(one);
      bytes += size.applyAsInt(one);
      if (bytes >= BATCH_BYTES) {
        session.push(message.apply(batch));
        batch.clear();
        bytes = 0;
      }
    }
    if (!batch.isEmpty()) {
      session.push(message.apply(batch));
    }
  }

  /** The node in the deployment's report. */
  NodeReport reported(long now) {
    return new NodeReport(
        address.id().value(),
        address.host(),
        address.port(),
        TimeUnit.NANOSECONDS.toMillis(now - heardAt),
        counters);
  }
}
