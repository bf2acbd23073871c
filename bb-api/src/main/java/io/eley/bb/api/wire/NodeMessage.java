package io.eley.bb.api.wire;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadTime;
import java.time.Duration;
import java.util.List;

/**
 * Node and coordinator, over one connection that the node opens. The node's messages are answered;
 * the coordinator's messages are pushed ({@link FrameHeader#PUSH}), and the node confirms permits
 * with {@link PermitApplied}.
 */
public sealed interface NodeMessage extends Message {
  /** A node joins. Answered by {@link MetadataMessage.View}; it then reports its inventory. */
  record Register(NodeAddress address, long capacityBytes) implements NodeMessage {
    @Override
    public MessageType type() {
      return MessageType.REGISTER;
    }

    @Override
    public void write(WireWriter out) {
      MetadataMessage.writeAddress(out, address);
      out.i64(capacityBytes);
    }

    static Register read(WireReader in) {
      return new Register(MetadataMessage.readAddress(in), in.i64());
    }
  }

  /**
   * How blocks have changed since the last such message; after {@link Register}, all of the
   * inventory, in several messages when it is long.
   *
   * @param arrived on the RAM-disk, whole
   * @param parts of which all pages that were ordered so far are; it says nothing to who has
   *     ordered none, or has freed the block since
   * @param dropped evicted, freed, damaged or of another version
   * @param yielded those of {@code dropped} whose space intermediate data needed
   * @param failed ordered, but not all of it could be fetched; the coordinator counts on nothing of
   *     it any more
   */
  record BlocksChanged(
      NodeId node,
      List<BlockId> arrived,
      List<BlockId> parts,
      List<BlockId> dropped,
      List<BlockId> yielded,
      List<FailedFetch> failed)
      implements NodeMessage {
    /** Of whole blocks, of which none has left for intermediate data. */
    public BlocksChanged(
        NodeId node, List<BlockId> arrived, List<BlockId> dropped, List<FailedFetch> failed) {
      this(node, arrived, List.of(), dropped, List.of(), failed);
    }

    public BlocksChanged {
      arrived = List.copyOf(arrived);
      parts = List.copyOf(parts);
      dropped = List.copyOf(dropped);
      yielded = List.copyOf(yielded);
      failed = List.copyOf(failed);
    }

    @Override
    public MessageType type() {
      return MessageType.BLOCKS_CHANGED;
    }

    @Override
    public void write(WireWriter out) {
      out.text(node.value())
          .list(arrived, WireWriter::block)
          .list(parts, WireWriter::block)
          .list(dropped, WireWriter::block)
          .list(yielded, WireWriter::block)
          .list(failed, (w, f) -> w.block(f.block()).i32(f.code().wire()));
    }

    static BlocksChanged read(WireReader in) {
      return new BlocksChanged(
          new NodeId(in.text()),
          in.list(WireReader::block),
          in.list(WireReader::block),
          in.list(WireReader::block),
          in.list(WireReader::block),
          in.list(r -> new FailedFetch(r.block(), io.eley.bb.api.error.ErrorCode.ofWire(r.i32()))));
    }
  }

  /** A fetch that did not succeed. */
  record FailedFetch(BlockId block, io.eley.bb.api.error.ErrorCode code) {}

  /**
   * The node confirms that it obeys this permit from now on, and reports its counters. Since
   * permits are renewed twice a second, this is its heartbeat, too. Not answered.
   *
   * @param sequence of the permit
   * @param counters of this moment: so a phase's account begins and ends with its hold
   */
  record PermitApplied(NodeId node, long sequence, NodeCounters counters) implements NodeMessage {
    @Override
    public MessageType type() {
      return MessageType.PERMIT_APPLIED;
    }

    @Override
    public void write(WireWriter out) {
      out.text(node.value()).i64(sequence);
      counters.write(out);
    }

    static PermitApplied read(WireReader in) {
      return new PermitApplied(new NodeId(in.text()), in.i64(), NodeCounters.read(in));
    }
  }

  /**
   * How long the node's last reads of the origin took. Not answered; one that is lost is lost.
   *
   * @param ended in the order in which they ended
   * @param underWay reads that have not ended, and how long they have taken by now
   */
  record OriginRead(NodeId node, List<ReadTime> ended, List<ReadTime> underWay)
      implements NodeMessage {
    public OriginRead {
      ended = List.copyOf(ended);
      underWay = List.copyOf(underWay);
    }

    @Override
    public MessageType type() {
      return MessageType.ORIGIN_READ;
    }

    @Override
    public void write(WireWriter out) {
      out.text(node.value()).list(ended, OriginRead::write).list(underWay, OriginRead::write);
    }

    static OriginRead read(WireReader in) {
      return new OriginRead(
          new NodeId(in.text()), in.list(OriginRead::readTime), in.list(OriginRead::readTime));
    }

    private static void write(WireWriter out, ReadTime read) {
      out.i64(read.agoNanos()).i64(read.tookNanos()).i32(read.bytes()).f64(read.underWay());
    }

    private static ReadTime readTime(WireReader in) {
      return new ReadTime(in.i64(), in.i64(), in.i32(), in.f64());
    }
  }

  /** Pushed: the permit that holds from now on. */
  record GrantPermit(Permit permit) implements NodeMessage {
    @Override
    public MessageType type() {
      return MessageType.GRANT_PERMIT;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(permit.sequence());
      writeLane(out, permit.prefetch());
      writeLane(out, permit.demand());
      out.i64(permit.timeToLive().toMillis()).text(permit.reason());
    }

    static GrantPermit read(WireReader in) {
      return new GrantPermit(
          new Permit(in.i64(), readLane(in), readLane(in), Duration.ofMillis(in.i64()), in.text()));
    }
  }

  /**
   * Pushed: fetch these parts of blocks, in this order, after those ordered before. A block is
   * reported as arrived when all of its pages are there that were ordered so far, and again after
   * each later order, even if that names nothing new.
   */
  record FetchBlocks(List<BlockPart> parts) implements NodeMessage {
    public FetchBlocks {
      parts = List.copyOf(parts);
    }

    @Override
    public MessageType type() {
      return MessageType.FETCH_BLOCKS;
    }

    @Override
    public void write(WireWriter out) {
      out.list(parts, WireWriter::part);
    }

    static FetchBlocks read(WireReader in) {
      return new FetchBlocks(in.list(WireReader::part));
    }
  }

  /**
   * Pushed: nobody plans to read these blocks any more. A queued fetch is cancelled; a block that
   * is there becomes the first to evict.
   */
  record FreeBlocks(List<BlockId> blocks) implements NodeMessage {
    public FreeBlocks {
      blocks = List.copyOf(blocks);
    }

    @Override
    public MessageType type() {
      return MessageType.FREE_BLOCKS;
    }

    @Override
    public void write(WireWriter out) {
      out.list(blocks, WireWriter::block);
    }

    static FreeBlocks read(WireReader in) {
      return new FreeBlocks(in.list(WireReader::block));
    }
  }

  private static void writeLane(WireWriter out, Permit.Lane lane) {
    out.i64(lane.bytesPerSecond()).i32(lane.concurrentFetches()).i64(lane.bytes());
  }

  private static Permit.Lane readLane(WireReader in) {
    return new Permit.Lane(in.i64(), in.i32(), in.i64());
  }
}
