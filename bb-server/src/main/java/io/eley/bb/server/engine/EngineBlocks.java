package io.eley.bb.server.engine;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks are to be loaded into the engine, in which order, and which are to leave it. State
 * and arithmetic only: it knows no engine, no permit and no clock, and is not safe for several
 * threads.
 *
 * <p>A block is queued → loading → here → leaving → gone. Its bytes are counted from the moment it
 * begins to load until the engine has given them back, so what is in the engine never exceeds the
 * capacity. A freed block leaves at once, or when its last reader has ended: the engine is shared,
 * and what nobody will read is somebody else's room. A block that was read without a plan stays
 * until its room is wanted.
 *
 * <p>Example, capacity of two blocks: {@code order(a, b, c)} loads a and b; c waits until {@code
 * free(a)}. A task that waits for d meanwhile drives out b, unless somebody reads b.
 *
 * @param <W> who waits for a block
 */
public final class EngineBlocks<W> {
  private final long capacity;
  private final ToIntFunction<BlockId> lengths;
  private final Map<BlockId, Entry<W>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final Deque<BlockId> ordered = new ArrayDeque<>();
  private final Deque<BlockId> demanded = new ArrayDeque<>();
  private final Deque<BlockId> leaving = new ArrayDeque<>();

  /** Readers of blocks that were lost under them, who give back what is not counted any more. */
  private final Map<BlockId, Integer> readersOfLost = new HashMap<>();

  private long used;
  private long leavingBytes;
  private int here;
  private long left;

  private enum State {
    QUEUED,
    LOADING,
    HERE,
    LEAVING
  }

  private static final class Entry<W> {
    State state = State.QUEUED;
    boolean planned;
    boolean freed;
    boolean lost;
    int leases;
    List<W> waiting = new ArrayList<>();
  }

  /**
   * Nothing yet.
   *
   * @param capacity bytes
   * @param lengths of blocks, bytes
   */
  public EngineBlocks(long capacity, ToIntFunction<BlockId> lengths) {
    this.capacity = capacity;
    this.lengths = lengths;
  }

  /**
   * Somebody plans to read the block.
   *
   * @return whether it is here already
   */
  public boolean order(BlockId block) {
    Entry<W> entry = entry(block, ordered);
    entry.planned = true;
    entry.freed = false;
    return entry.state == State.HERE;
  }

  /**
   * A task waits for the block. If it is here, it is leased at once; otherwise it goes before all
   * that is only planned.
   *
   * @return whether it is here
   */
  public boolean demand(BlockId block, W waiter) {
    Entry<W> entry = entry(block, demanded);
    if (entry.state == State.HERE) {
      entry.leases++;
      return true;
    }
    if (entry.state == State.QUEUED && ordered.remove(block)) {
      demanded.addLast(block);
    }
    entry.waiting.add(waiter);
    return false;
  }

  private Entry<W> entry(BlockId block, Deque<BlockId> queue) {
    Entry<W> known = entries.get(block);
    if (known == null) {
      known = new Entry<>();
      entries.put(block, known);
      queue.addLast(block);
    }
    return known;
  }

  /** The block that is to be loaded next for this cause. */
  public Optional<BlockId> first(ReadCause cause) {
    return Optional.ofNullable(queue(cause).peekFirst());
  }

  private Deque<BlockId> queue(ReadCause cause) {
    return cause == ReadCause.DEMAND ? demanded : ordered;
  }

  /** Whether so many bytes more fit. */
  public boolean hasRoom(int bytes) {
    return used + bytes <= capacity;
  }

  /**
   * Whether so many bytes more fit. If they do not, blocks are told to leave so that they will: for
   * a task the least recently used that nobody reads, for a plan only those nobody plans to read.
   */
  public boolean makeRoom(int bytes, ReadCause cause) {
    if (hasRoom(bytes)) {
      return true;
    }
    long wanted = used + bytes - capacity - leavingBytes;
    for (var each : new ArrayList<>(entries.entrySet())) {
      if (wanted <= 0) {
        break;
      }
      Entry<W> entry = each.getValue();
      boolean mayLeave =
          entry.state == State.HERE
              && entry.leases == 0
              && (cause == ReadCause.DEMAND || !entry.planned);
      if (mayLeave) {
        leave(each.getKey(), entry);
        wanted -= lengths.applyAsInt(each.getKey());
      }
    }
    return false;
  }

  /** The first block of this cause begins to load; there must be room. */
  public void begin(ReadCause cause) {
    BlockId block = queue(cause).removeFirst();
    known(block).state = State.LOADING;
    used += lengths.applyAsInt(block);
  }

  /**
   * The block is in the engine now.
   *
   * @return who has waited for it; each has a lease
   */
  public List<W> loaded(BlockId block) {
    Entry<W> entry = known(block);
    entry.state = State.HERE;
    here++;
    List<W> waited = entry.waiting;
    entry.waiting = new ArrayList<>();
    entry.leases += waited.size();
    leaveIfUnwanted(block, entry);
    return waited;
  }

  /**
   * The block could not be loaded: it is forgotten.
   *
   * @return who has waited for it
   */
  public List<W> failed(BlockId block) {
    used -= lengths.applyAsInt(block);
    return known(entries.remove(block)).waiting;
  }

  /** Nobody plans to read these any more. */
  public void free(Collection<BlockId> blocks) {
    for (BlockId block : blocks) {
      Entry<W> entry = entries.get(block);
      if (entry == null) {
        continue;
      }
      entry.planned = false;
      entry.freed = true;
      if (entry.state == State.QUEUED && entry.waiting.isEmpty()) {
        cancel(block);
      } else {
        leaveIfUnwanted(block, entry);
      }
    }
  }

  private void cancel(BlockId block) {
    entries.remove(block);
    ordered.remove(block);
    demanded.remove(block);
  }

  /**
   * Nobody will free what was ordered: it leaves for whatever needs its room. What is queued comes
   * all the same, what is leaving does not.
   */
  public void forgetOrders() {
    entries.values().forEach(entry -> entry.planned = false);
  }

  /** A reader of the block has ended. */
  public void release(BlockId block) {
    if (readersOfLost.containsKey(block)) {
      readersOfLost.computeIfPresent(block, (b, readers) -> readers == 1 ? null : readers - 1);
      return;
    }
    Entry<W> entry = entries.get(block);
    if (entry != null && entry.leases > 0) {
      entry.leases--;
      leaveIfUnwanted(block, entry);
    }
  }

  /**
   * Those who wait for blocks and are to wait no longer; a block that is only theirs is cancelled.
   */
  public void giveUp(Predicate<W> which) {
    for (var each : new ArrayList<>(entries.entrySet())) {
      Entry<W> entry = each.getValue();
      boolean someLeft = entry.waiting.removeIf(which) && entry.waiting.isEmpty();
      if (someLeft && entry.state == State.QUEUED && !entry.planned) {
        cancel(each.getKey());
      } else if (someLeft && entry.state == State.QUEUED && demanded.remove(each.getKey())) {
        ordered.addFirst(each.getKey());
      }
    }
  }

  private void leaveIfUnwanted(BlockId block, Entry<W> entry) {
    if (entry.state == State.HERE && entry.freed && entry.leases == 0) {
      leave(block, entry);
    }
  }

  /**
   * The engine has gone with all that was in it, or cannot be asked: no block is here any more.
   * What is left of them leaves when it can be reached again.
   *
   * @return those that were here
   */
  public List<BlockId> lose() {
    List<BlockId> lost = inventory();
    for (BlockId block : lost) {
      Entry<W> entry = known(block);
      if (entry.leases > 0) {
        readersOfLost.merge(block, entry.leases, Integer::sum);
        entry.leases = 0;
      }
      leave(block, entry);
      entry.lost = true;
    }
    return lost;
  }

  private void leave(BlockId block, Entry<W> entry) {
    entry.state = State.LEAVING;
    entry.planned = false;
    here--;
    leavingBytes += lengths.applyAsInt(block);
    leaving.addLast(block);
  }

  /** The next block that the engine is to give back. */
  public @Nullable BlockId takeLeaving() {
    return leaving.pollFirst();
  }

  /**
   * The engine has given the block back; if somebody wants it again, it is queued anew.
   *
   * @return whether that is news to who plans: not of a block that was {@linkplain #lose lost}
   *     before, nor of one that was ordered anew meanwhile, since that order stands
   */
  public boolean left(BlockId block) {
    used -= lengths.applyAsInt(block);
    leavingBytes -= lengths.applyAsInt(block);
    left++;
    Entry<W> entry = known(block);
    boolean news = !entry.lost && !entry.planned;
    entry.lost = false;
    if (entry.waiting.isEmpty() && !entry.planned) {
      entries.remove(block);
      return news;
    }
    entry.state = State.QUEUED;
    (entry.waiting.isEmpty() ? ordered : demanded).addLast(block);
    return news;
  }

  private Entry<W> known(BlockId block) {
    return known(entries.get(block));
  }

  private static <W> Entry<W> known(@Nullable Entry<W> entry) {
    if (entry == null) {
      throw new IllegalStateException("a block that is not known");
    }
    return entry;
  }

  /** The blocks that are here and stay. */
  public List<BlockId> inventory() {
    return entries.entrySet().stream()
        .filter(each -> each.getValue().state == State.HERE)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Blocks that nobody has taken with {@link #takeLeaving} yet. */
  public int leaving() {
    return leaving.size();
  }

  /** Bytes that are in the engine, on their way into it or out of it. */
  public long used() {
    return used;
  }

  /** Blocks that are here. */
  public int here() {
    return here;
  }

  /** Blocks that have left since the beginning. */
  public long gone() {
    return left;
  }

  /** Blocks that wait to be loaded. */
  public int queued() {
    return ordered.size() + demanded.size();
  }
}
