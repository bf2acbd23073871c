package io.eley.simulation;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.permit.PermitGate;
import io.eley.controller.loop.Moved;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of our own: its RAM as a set of blocks, its fetchers, and the production {@link
 * PermitGate}, which each chunk has to pass. What tasks wait for goes first. Room is reserved
 * before the first byte; what is full of blocks that are arriving or being waited for turns a
 * demand away.
 */
final class SimOwnNode implements SimNode {
  private static final class Block {
    final long length;
    ReadCause cause;
    long read;
    boolean fetching;
    final List<Runnable> waiting = new ArrayList<>();

    Block(long length, ReadCause cause) {
      this.length = length;
      this.cause = cause;
    }

    boolean complete() {
      return read == length;
    }
  }

  private record Work(BlockId id, Block block) {}

  private final NodeId id;
  private final Agenda agenda;
  private final BlockGeometry geometry;
  private final Mount origin;
  private final PermitGate gate;
  private final Watch watch;
  private final Watch.NodePermit granted = new Watch.NodePermit();
  private final long capacity;
  private final Reports reports;
  private final Map<BlockId, Block> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private final Deque<BlockId> prefetches = new ArrayDeque<>();
  private final Deque<BlockId> demands = new ArrayDeque<>();

  /** Begun, and stopped by a closed lane. */
  private final Deque<BlockId> parked = new ArrayDeque<>();

  private final Map<ReadCause, Long> originBytes = new EnumMap<>(ReadCause.class);
  private final ReadMeter reads = new ReadMeter();
  private final boolean[] busy;
  private long used;
  private long wakeAt = Long.MAX_VALUE;
  private boolean alive = true;

  /**
   * A node without blocks.
   *
   * @param gate of this node; its clock may run apart from the agenda's
   */
  SimOwnNode(
      NodeId id,
      Hardware hardware,
      BlockGeometry geometry,
      PermitGate gate,
      Surroundings surroundings) {
    this.id = id;
    this.agenda = surroundings.agenda();
    this.origin = surroundings.origin();
    this.watch = surroundings.watch();
    this.reports = surroundings.reports();
    this.geometry = geometry;
    this.gate = gate;
    this.capacity = hardware.capacity();
    this.busy = new boolean[hardware.fetchers()];
  }

  @Override
  public NodeId id() {
    return id;
  }

  @Override
  public long capacity() {
    return capacity;
  }

  @Override
  public boolean alive() {
    return alive;
  }

  @Override
  public void die() {
    alive = false;
    var orphans = new ArrayList<Runnable>();
    blocks.values().forEach(b -> orphans.addAll(b.waiting));
    blocks.clear();
    prefetches.clear();
    demands.clear();
    orphans.forEach(Runnable::run);
  }

  @Override
  public void learnView(int nodes) {
    gate.shareCappedRate(nodes);
  }

  @Override
  public void apply(Permit permit) {
    if (alive) {
      granted.notePermit(permit, agenda.now());
      gate.apply(permit);
      reports.confirmed(permit.sequence(), moved());
      work();
    }
  }

  private Moved moved() {
    return new Moved(originBytes, prefetches.size() + parked.size() + demands.size());
  }

  @Override
  public void reportUnderWay() {
    List<ReadTime> underWay = reads.underWay(agenda.now());
    if (!underWay.isEmpty()) {
      reports.read(List.of(), underWay);
    }
  }

  @Override
  public List<BlockId> inventory() {
    return blocks.entrySet().stream()
        .filter(e -> e.getValue().complete())
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public void fetch(List<BlockPart> ordered) {
    for (BlockPart part : ordered) {
      if (!blocks.containsKey(part.block())) {
        prefetches.add(part.block());
      }
    }
    work();
  }

  @Override
  public void free(List<BlockId> unwanted) {
    for (BlockId block : unwanted) {
      prefetches.remove(block);
      Block stored = blocks.get(block);
      if (stored != null && stored.waiting.isEmpty()) {
        remove(block, stored); // a fetch under way ends with its chunk
      }
    }
    work();
  }

  @Override
  public boolean want(BlockId id, Runnable there) {
    if (!alive) {
      return false;
    }
    Block block = blocks.get(id);
    if (block != null && block.complete()) {
      there.run();
      return true;
    }
    if (block == null) {
      prefetches.remove(id);
      block = reserve(id, ReadCause.DEMAND);
      if (block == null) {
        return false;
      }
      demands.add(id);
    } else if (block.cause != ReadCause.DEMAND) {
      block.cause = ReadCause.DEMAND;
      if (!block.fetching) {
        demands.add(id);
      }
    }
    block.waiting.add(there);
    work();
    return true;
  }

  @Override
  public boolean has(BlockId id) {
    Block block = blocks.get(id);
    return block != null && block.complete();
  }

  private @Nullable Block reserve(BlockId id, ReadCause cause) {
    long length = geometry.length(id);
    evictFor(length);
    if (used + length > capacity) {
      return null;
    }
    used += length;
    watch.checkUsed(this.id.value(), used, capacity, agenda.now());
    var block = new Block(length, cause);
    blocks.put(id, block);
    return block;
  }

  /** The least recently used complete blocks give way. */
  private void evictFor(long length) {
    Iterator<Map.Entry<BlockId, Block>> oldest = List.copyOf(blocks.entrySet()).iterator();
    while (used + length > capacity && oldest.hasNext()) {
      var entry = oldest.next();
      if (entry.getValue().complete() && entry.getValue().waiting.isEmpty()) {
        remove(entry.getKey(), entry.getValue());
        reports.dropped(entry.getKey());
      }
    }
  }

  private void remove(BlockId id, Block block) {
    blocks.remove(id);
    used -= block.length;
  }

  /** Gives each idle fetcher something to do. */
  private void work() {
    for (int i = 0; i < busy.length && alive; i++) {
      if (!busy[i]) {
        Work next = next();
        if (next == null) {
          return;
        }
        busy[i] = true;
        fetchChunk(i, next.id(), next.block());
      }
    }
  }

  /** The next block to fetch, with its room reserved, or null when there is none. */
  private @Nullable Work next() {
    Work work = null;
    if (!demands.isEmpty() && open(ReadCause.DEMAND)) {
      work = begun(demands, ReadCause.DEMAND);
    }
    if (work == null && !(parked.isEmpty() && prefetches.isEmpty()) && open(ReadCause.PREFETCH)) {
      work = begun(parked, ReadCause.PREFETCH);
      if (work == null) {
        work = fresh();
      }
    }
    return work;
  }

  private boolean open(ReadCause cause) {
    if (gate.nanosUntilOpen(cause) == 0) {
      return true;
    }
    wake(cause);
    return false;
  }

  /** The first of a queue that still needs fetching for that cause. */
  private @Nullable Work begun(Deque<BlockId> queue, ReadCause cause) {
    while (!queue.isEmpty()) {
      BlockId id = queue.poll();
      Block block = blocks.get(id);
      if (block != null && !block.fetching && !block.complete() && block.cause == cause) {
        block.fetching = true;
        return new Work(id, block);
      }
    }
    return null;
  }

  private @Nullable Work fresh() {
    while (!prefetches.isEmpty()) {
      BlockId id = prefetches.peek();
      if (!blocks.containsKey(id)) {
        Block block = reserve(id, ReadCause.PREFETCH);
        if (block == null) {
          return null; // until something is freed
        }
        block.fetching = true;
        prefetches.poll();
        return new Work(id, block);
      }
      prefetches.poll();
    }
    return null;
  }

  /** One chunk of a block, when the gate lets it pass. */
  private void fetchChunk(int fetcher, BlockId id, Block block) {
    if (!alive || blocks.get(id) != block) {
      busy[fetcher] = false;
      work();
      return;
    }
    int length = (int) Math.min(geometry.chunkSize(), block.length - block.read);
    ReadCause cause = block.cause;
    if (!gate.tryEnter(cause, length)) {
      park(fetcher, id, block);
      return;
    }
    watch.checkChunk(this.id.value(), granted, cause, length, agenda.now());
    long read = reads.begin(length, agenda.now());
    origin.move(
        id.file().path(),
        new ByteRange(geometry.range(id).offset() + block.read, length),
        () -> {
          gate.leave(cause, length);
          long bound = (long) busy.length * geometry.chunkSize();
          watch.checkTail(this.id.value(), granted, cause, length, bound, agenda.now());
          reports.read(reads.end(read, agenda.now()), List.of());
          originBytes.merge(cause, (long) length, Long::sum);
          finishChunk(fetcher, id, block, length);
        });
  }

  /** The lane is closed: the fetcher is free for what may go, the block waits its turn. */
  private void park(int fetcher, BlockId id, Block block) {
    busy[fetcher] = false;
    block.fetching = false;
    if (block.cause == ReadCause.DEMAND) {
      demands.addFirst(id);
    } else {
      parked.addFirst(id);
    }
    work();
  }

  private void finishChunk(int fetcher, BlockId id, Block block, int length) {
    block.read += length;
    if (!block.complete() || blocks.get(id) != block) {
      fetchChunk(fetcher, id, block);
      return;
    }
    busy[fetcher] = false;
    reports.arrived(id);
    var waiting = List.copyOf(block.waiting);
    block.waiting.clear();
    waiting.forEach(Runnable::run);
    work();
  }

  /** Retries when time alone opens the gate; new permits and ends of chunks retry by themselves. */
  private void wake(ReadCause cause) {
    long nanos = gate.nanosUntilOpen(cause);
    if (nanos == PermitGate.NEVER) {
      return;
    }
    long at = agenda.now() + Math.max(1, nanos);
    if (at < wakeAt || wakeAt <= agenda.now()) {
      wakeAt = at;
      agenda.at(
          at,
          () -> {
            if (wakeAt == agenda.now()) {
              wakeAt = Long.MAX_VALUE;
            }
            work();
          });
    }
  }
}
