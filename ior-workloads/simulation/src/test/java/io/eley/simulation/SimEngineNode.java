package io.eley.simulation;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.engine.EngineBlocks;
import io.eley.controller.loop.Moved;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node whose blocks are in another engine, with the state of a real one: a load is one call for a
 * whole block that nothing stops, under the production {@link PermitGate}, and a block that leaves
 * takes its room until the engine has given it back. The steps are those of {@code EngineLoader}.
 */
final class SimEngineNode implements SimNode {
  private static final Duration FREEING = Duration.ofMillis(2);

  private final NodeId id;
  private final Agenda agenda;
  private final BlockGeometry geometry;
  private final Mount origin;
  private final PermitGate gate;
  private final Watch watch;
  private final Watch.NodePermit granted = new Watch.NodePermit();
  private final Hardware hardware;
  private final Reports reports;
  private final EngineBlocks<Runnable> blocks;
  private final Map<ReadCause, Long> originBytes = new EnumMap<>(ReadCause.class);
  private final ReadMeter reads = new ReadMeter();
  private int loading;
  private long wakeAt = Long.MAX_VALUE;
  private boolean alive = true;

  SimEngineNode(
      NodeId id,
      Hardware hardware,
      BlockGeometry geometry,
      PermitGate gate,
      Surroundings surroundings) {
    this.id = id;
    this.hardware = hardware;
    this.agenda = surroundings.agenda();
    this.origin = surroundings.origin();
    this.watch = surroundings.watch();
    this.reports = surroundings.reports();
    this.geometry = geometry;
    this.gate = gate;
    this.blocks = new EngineBlocks<>(hardware.capacity(), geometry::length);
  }

  @Override
  public NodeId id() {
    return id;
  }

  @Override
  public long capacity() {
    return hardware.capacity();
  }

  @Override
  public boolean ofEngine() {
    return true;
  }

  @Override
  public boolean alive() {
    return alive;
  }

  @Override
  public void die() {
    alive = false;
    var orphans = new ArrayList<Runnable>();
    blocks.giveUp(orphans::add);
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
      reports.confirmed(permit.sequence(), new Moved(originBytes, blocks.queued()));
      work();
    }
  }

  @Override
  public List<BlockId> inventory() {
    return blocks.inventory();
  }

  /** Whole blocks, whatever pages are wanted of them. */
  @Override
  public void fetch(List<BlockPart> ordered) {
    for (BlockPart part : ordered) {
      if (blocks.order(part.block())) {
        reports.arrived(part.block());
      }
    }
    work();
  }

  @Override
  public void free(List<BlockId> unwanted) {
    blocks.free(unwanted);
    work();
  }

  @Override
  public boolean want(BlockId block, Runnable there) {
    if (!alive) {
      return false;
    }
    if (blocks.demand(block, there)) {
      there.run();
      blocks.release(block);
    }
    work();
    return true;
  }

  @Override
  public boolean has(BlockId block) {
    return alive && blocks.inventory().contains(block);
  }

  private void work() {
    boolean more = alive;
    while (more && loading < hardware.fetchers()) {
      more = begin(ReadCause.DEMAND) || begin(ReadCause.PREFETCH);
    }
    for (BlockId next = blocks.takeLeaving(); next != null; next = blocks.takeLeaving()) {
      BlockId leaving = next;
      agenda.after(FREEING, () -> left(leaving));
    }
  }

  private void left(BlockId block) {
    if (blocks.left(block) && alive) {
      reports.dropped(block);
    }
    work();
  }

  private boolean begin(ReadCause cause) {
    Optional<BlockId> first = blocks.first(cause);
    if (first.isEmpty()) {
      return false;
    }
    BlockId block = first.get();
    int bytes = geometry.length(block);
    if (!blocks.makeRoom(bytes, cause)) {
      return false;
    }
    if (!gate.tryEnter(cause, bytes)) {
      wake(cause);
      return false;
    }
    watch.checkChunk(id.value(), granted, cause, bytes, agenda.now());
    blocks.begin(cause);
    watch.checkUsed(id.value(), blocks.used(), hardware.capacity(), agenda.now());
    loading++;
    long read = reads.begin(bytes, agenda.now());
    origin.move(block.file().path(), geometry.range(block), () -> ended(block, cause, read));
    return true;
  }

  private void ended(BlockId block, ReadCause cause, long read) {
    int bytes = geometry.length(block);
    gate.leave(cause, bytes);
    long bound = (long) hardware.fetchers() * geometry.blockSize();
    watch.checkTail(id.value(), granted, cause, bytes, bound, agenda.now());
    loading--;
    reports.read(reads.end(read, agenda.now()), List.of());
    originBytes.merge(cause, (long) bytes, Long::sum);
    List<Runnable> waited = blocks.loaded(block);
    if (alive) {
      reports.arrived(block);
    }
    for (Runnable there : waited) {
      there.run();
      blocks.release(block);
    }
    work();
  }

  /** Retries when time alone opens the gate. */
  private void wake(ReadCause cause) {
    long nanos = gate.nanosUntilOpen(cause);
    long at = agenda.now() + Math.max(1, nanos);
    if (nanos != PermitGate.NEVER && (at < wakeAt || wakeAt <= agenda.now())) {
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
