package io.eley.bb.api.wire;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A node's state and counters since its start, which it reports with each permit that it confirms.
 *
 * @param capacityBytes the RAM budget, or what is left of it when the node is squeezed
 * @param usedBytes bytes of committed and temporary blocks, and reservations
 * @param blocks committed blocks
 * @param servedBytes bytes sent to clients or read by them directly
 * @param hitBytes the part of {@code servedBytes} that was in RAM when it was asked for
 * @param originBytes origin bytes by cause
 * @param evictedBlocks blocks evicted or freed
 * @param queuedFetches fetches that wait for a permit or a fetcher
 * @param permitSequence sequence of the last permit applied
 * @param permitOpen whether the prefetch lane is open now
 * @param hungOriginCalls origin calls that have passed their deadline and not come back
 * @param damagedBlocks blocks that did not match their checksums and were dropped
 * @param squeezed whether others fill the RAM-disk, so that the node holds less than its budget
 * @param partialBytes the part of {@code usedBytes} that is of blocks which hold some of their
 *     pages
 * @param scratch intermediate data, whose bytes are a part of {@code usedBytes}
 * @param serving whether its storage is open and its origin has answered; until then it has joined,
 *     obeys permits, and sends whoever reads away
 * @param throttled answers of the origin that asked for fewer requests
 * @param underWay what a hold cannot stop
 */
public record NodeCounters(
    long capacityBytes,
    long usedBytes,
    int blocks,
    long servedBytes,
    long hitBytes,
    Map<ReadCause, Long> originBytes,
    long evictedBlocks,
    int queuedFetches,
    long permitSequence,
    boolean permitOpen,
    int hungOriginCalls,
    int damagedBlocks,
    boolean squeezed,
    long partialBytes,
    Scratch scratch,
    boolean serving,
    long throttled,
    UnderWay underWay) {
  /**
   * Counters of a node that serves, with whole blocks, without damage and a RAM-disk that others
   * fill.
   */
  public NodeCounters(
      long capacityBytes,
      long usedBytes,
      int blocks,
      long servedBytes,
      long hitBytes,
      Map<ReadCause, Long> originBytes,
      long evictedBlocks,
      int queuedFetches,
      long permitSequence,
      boolean permitOpen,
      int hungOriginCalls) {
    this(
        capacityBytes,
        usedBytes,
        blocks,
        servedBytes,
        hitBytes,
        originBytes,
        evictedBlocks,
        queuedFetches,
        permitSequence,
        permitOpen,
        hungOriginCalls,
        0,
        false,
        0,
        Scratch.NONE,
        true,
        0,
        UnderWay.NONE);
  }

  /** Counters of a node that has joined and does not serve yet. */
  public static NodeCounters starting(long capacityBytes, long permitSequence) {
    return new NodeCounters(
        capacityBytes,
        0,
        0,
        0,
        0,
        Map.of(),
        0,
        0,
        permitSequence,
        false,
        0,
        0,
        false,
        0,
        Scratch.NONE,
        false,
        0,
        UnderWay.NONE);
  }

  public NodeCounters {
    originBytes = Map.copyOf(originBytes);
  }

  void write(WireWriter out) {
    out.i64(capacityBytes).i64(usedBytes).i32(blocks).i64(servedBytes).i64(hitBytes);
    writeCauses(out, originBytes);
    out.i64(evictedBlocks)
        .i32(queuedFetches)
        .i64(permitSequence)
        .bool(permitOpen)
        .i32(hungOriginCalls)
        .i32(damagedBlocks)
        .bool(squeezed)
        .i64(partialBytes)
        .i64(scratch.bytes)
        .i64(scratch.outputs)
        .i64(scratch.refused)
        .i64(scratch.late)
        .i64(scratch.overflow.bytes)
        .i64(scratch.overflow.limitBytes)
        .i64(scratch.overflow.outputs)
        .list(scratch.applications, NodeCounters::writeHeld)
        .bool(serving)
        .i64(throttled)
        .i64(underWay.bytes())
        .i64(underWay.mostBytes());
  }

  static NodeCounters read(WireReader in) {
    return new NodeCounters(
        in.i64(),
        in.i64(),
        in.i32(),
        in.i64(),
        in.i64(),
        readCauses(in),
        in.i64(),
        in.i32(),
        in.i64(),
        in.bool(),
        in.i32(),
        in.i32(),
        in.bool(),
        in.i64(),
        new Scratch(
            in.i64(),
            in.i64(),
            in.i64(),
            in.i64(),
            new Overflow(in.i64(), in.i64(), in.i64()),
            in.list(NodeCounters::readHeld)),
        in.bool(),
        in.i64(),
        new UnderWay(in.i64(), in.i64()));
  }

  /**
   * Intermediate data on a node.
   *
   * @param bytes that lie in its RAM now, reservations included
   * @param outputs of map tasks that were taken since its start, in RAM and behind it
   * @param refused outputs for which there was no room
   * @param late requests for applications and shuffles that had ended
   * @param applications that have a service there
   */
  public record Scratch(
      long bytes,
      long outputs,
      long refused,
      long late,
      Overflow overflow,
      List<Held> applications) {
    /** Of a node that takes none. */
    public static final Scratch NONE = new Scratch(0, 0, 0, 0, Overflow.NONE);

    /** On which no application has a service. */
    public Scratch(long bytes, long outputs, long refused, long late, Overflow overflow) {
      this(bytes, outputs, refused, late, overflow, List.of());
    }

    public Scratch {
      applications = List.copyOf(applications);
    }

    /** The same with these applications. */
    public Scratch with(List<Held> present) {
      return new Scratch(bytes, outputs, refused, late, overflow, present);
    }

    /** Bytes of RAM of what no reader sees: it is being written, or deleted. */
    public long unseenBytes() {
      return Math.max(0, bytes - applications.stream().mapToLong(Held::bytes).sum());
    }
  }

  /**
   * Intermediate data on a node's local disk, for which its RAM had no room.
   *
   * @param bytes that lie there now, reservations included
   * @param limitBytes that may lie there; 0 when the node has no such directory
   * @param outputs of map tasks that were taken there since its start
   */
  public record Overflow(long bytes, long limitBytes, long outputs) {
    /** Of a node that has none. */
    public static final Overflow NONE = new Overflow(0, 0, 0);
  }

  /**
   * What one application has on a node now.
   *
   * @param bytes of its outputs in RAM
   * @param overflowBytes of those on the node's disk
   * @param outputs in both
   * @param overflowed the part of {@code outputs} that is on the disk
   * @param refused its outputs for which there was no room, since it came
   */
  public record Held(
      String application,
      long bytes,
      long overflowBytes,
      int outputs,
      int overflowed,
      long refused) {
    /** Both nodes' together, of one application. */
    public Held plus(Held other) {
      return new Held(
          application,
          bytes + other.bytes,
          overflowBytes + other.overflowBytes,
          outputs + other.outputs,
          overflowed + other.overflowed,
          refused + other.refused);
    }
  }

  private static void writeHeld(WireWriter out, Held h) {
    out.text(h.application)
        .i64(h.bytes)
        .i64(h.overflowBytes)
        .i32(h.outputs)
        .i32(h.overflowed)
        .i64(h.refused);
  }

  private static Held readHeld(WireReader in) {
    return new Held(in.text(), in.i64(), in.i64(), in.i32(), in.i32(), in.i64());
  }

  /** The same, with reads that are under way. */
  public NodeCounters with(UnderWay reads) {
    return new NodeCounters(
        capacityBytes,
        usedBytes,
        blocks,
        servedBytes,
        hitBytes,
        originBytes,
        evictedBlocks,
        queuedFetches,
        permitSequence,
        permitOpen,
        hungOriginCalls,
        damagedBlocks,
        squeezed,
        partialBytes,
        scratch,
        serving,
        throttled,
        reads);
  }

  /** What is left of the RAM budget for blocks. */
  public long roomForBlocks() {
    return Math.max(0, capacityBytes - scratch.bytes);
  }

  static void writeCauses(WireWriter out, Map<ReadCause, Long> bytes) {
    out.list(bytes.entrySet(), (w, e) -> w.constant(e.getKey()).i64(e.getValue()));
  }

  static Map<ReadCause, Long> readCauses(WireReader in) {
    var causes = new EnumMap<ReadCause, Long>(ReadCause.class);
    in.list(r -> causes.put(r.constant(ReadCause.class), r.i64()));
    return causes;
  }
}
