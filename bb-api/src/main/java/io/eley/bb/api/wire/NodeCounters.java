package io.eley.bb.api.wire;

import io.eley.bb.api.ReadCause;
import java.util.EnumMap;
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
    Scratch scratch) {
  /** Counters of a node with whole blocks, without damage and a RAM-disk that others fill. */
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
        Scratch.NONE);
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
        .i64(scratch.overflow.outputs);
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
            in.i64(), in.i64(), in.i64(), in.i64(), new Overflow(in.i64(), in.i64(), in.i64())));
  }

  /**
   * Intermediate data on a node.
   *
   * @param bytes that lie in its RAM now, reservations included
   * @param outputs of map tasks that were taken since its start, in RAM and behind it
   * @param refused outputs for which there was no room
   * @param late requests for applications and shuffles that had ended
   */
  public record Scratch(long bytes, long outputs, long refused, long late, Overflow overflow) {
    /** Of a node that takes none. */
    public static final Scratch NONE = new Scratch(0, 0, 0, 0, Overflow.NONE);
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
