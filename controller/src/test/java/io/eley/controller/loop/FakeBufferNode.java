package io.eley.controller.loop;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node that remembers what it is told, and confirms permits at once, late or never. */
final class FakeBufferNode implements BufferNode {
  final List<Permit> permits = new ArrayList<>();

  /** Each order as it came, such as {@code fetch [...]}. */
  final List<String> orders = new ArrayList<>();

  final List<BlockId> fetched = new ArrayList<>();
  final List<BlockId> freed = new ArrayList<>();
  private final NodeId id;
  private Moved moved = Moved.NOTHING;
  private Optional<Confirming> confirming = Optional.empty();

  private record Confirming(ControlLoop loop, FakeTimeline timeline, Duration delay) {}

  FakeBufferNode(String name) {
    this.id = new NodeId(name);
  }

  /** From now on it confirms each permit so many milliseconds after it got it. */
  void confirmTo(ControlLoop loop, FakeTimeline timeline, long millis) {
    confirming = Optional.of(new Confirming(loop, timeline, Duration.ofMillis(millis)));
  }

  /** From now on it says nothing. */
  void fallSilent() {
    confirming = Optional.empty();
  }

  void hasRead(ReadCause cause, long bytes) {
    moved = new Moved(Map.of(cause, bytes), moved.waitingFetches());
  }

  void hasMoved(Moved now) {
    moved = now;
  }

  /** Prefetches so many bytes more, while so many fetches wait. */
  void movesOn(long bytes, int waiting) {
    moved = new Moved(Map.of(ReadCause.PREFETCH, moved.originTotal() + bytes), waiting);
  }

  /** Confirms its last permit now, whatever its habit. */
  void confirm(ControlLoop loop) {
    loop.confirm(id, last().sequence(), moved);
  }

  Permit last() {
    return permits.get(permits.size() - 1);
  }

  @Override
  public NodeId id() {
    return id;
  }

  @Override
  public void grant(Permit permit) {
    permits.add(permit);
    confirming.ifPresent(
        c ->
            c.timeline.after(
                c.delay,
                () -> {
                  if (confirming.isPresent()) {
                    c.loop.confirm(id, permit.sequence(), moved);
                  }
                }));
  }

  @Override
  public void free(List<BlockId> blocks) {
    orders.add("free " + blocks.size());
    freed.addAll(blocks);
  }

  @Override
  public void fetch(List<BlockPart> parts) {
    orders.add("fetch " + parts.size());
    parts.forEach(part -> fetched.add(part.block()));
  }
}
