package io.eley.bb.api.client;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.error.EleyException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Several ranges of a file at once. A small range costs a round trip and a hand-over of a thread
 * whatever its length, so small ones that are near each other are read together and copied apart:
 * 16 ranges of 64 KiB side by side are one read of 1 MiB. Large ones are read straight into their
 * own buffers.
 *
 * <p>The small reads of a call are made by one thread, which asks for several before it waits for
 * the first: the node sends one while the next is on its way to it. The large ones have some
 * threads of the call's own: a call that a hold keeps back stands in no other's way.
 */
final class RangeReads {
  /** What lies between two ranges that are read together, at most: a page, as nodes check them. */
  static final int NEAR = 16 << 10;

  /** A range of this length or more moves for longer than a round trip takes. */
  static final int LARGE = 256 << 10;

  /** Small reads that are under way at once, at most, for one call. */
  static final int IN_FLIGHT = 16;

  /** Large reads that are under way at once, at most, for one call. */
  static final int LARGE_AT_ONCE = 4;

  /** Bytes read together, at most: what a node reads from the origin at a time. */
  static final int MOST = 1 << 20;

  /** Reads one range. */
  interface Plain {
    /** Fills the target; blocks. */
    void readFully(long position, ByteBuffer target) throws EleyException;

    /** Starts to read, perhaps less than all; {@link Started#await} may be left to do it. */
    default Started start(long position, ByteBuffer target) throws EleyException {
      return () -> {
        int length = target.remaining();
        readFully(position, target);
        return length;
      };
    }

    /** All that were started have been awaited; on the thread that has done both. */
    default void done() {}
  }

  /** A read that may be under way. */
  interface Started {
    /** Blocks until bytes are there, and returns how many. */
    int await() throws EleyException;
  }

  /**
   * Ranges that are read together.
   *
   * @param whole what is read
   * @param parts which of the ranges it contains
   */
  record Group(ByteRange whole, List<Integer> parts) {}

  private final Plain plain;
  private final Executor threads;
  private final IntFunction<ByteBuffer> allocate;

  /**
   * A way to read.
   *
   * @param threads run the reads of each call at once, whatever those of others wait for
   * @param allocate makes the buffer of a range, for its length; on one of these threads or on the
   *     caller's
   */
  RangeReads(Plain plain, Executor threads, IntFunction<ByteBuffer> allocate) {
    this.plain = plain;
    this.threads = threads;
    this.allocate = allocate;
  }

  /**
   * Starts to read; does not block.
   *
   * @param ranges in any order; they may overlap
   * @param fileLength a range that ends behind it fails alone
   * @return one future a range, in their order; the buffer is flipped, ready to be read
   */
  List<CompletableFuture<ByteBuffer>> start(List<ByteRange> ranges, long fileLength) {
    var results = new HashMap<Integer, CompletableFuture<ByteBuffer>>();
    var small = new ArrayList<Small>();
    var large = new ConcurrentLinkedQueue<Large>();
    for (Group group : group(ranges, fileLength)) {
      boolean alone = group.parts().size() == 1;
      CompletableFuture<ByteBuffer> all;
      if (group.whole().length() < LARGE || !alone) {
        var read =
            new Small(
                group.whole(), alone ? allocate : ByteBuffer::allocate, new CompletableFuture<>());
        small.add(read);
        all = read.result;
      } else {
        all = new CompletableFuture<>();
        large.add(new Large(group.whole(), all));
      }
      for (int part : group.parts()) {
        results.put(
            part,
            alone ? all : all.thenApply(bytes -> part(bytes, group.whole(), ranges.get(part))));
      }
    }
    for (int i = Math.min(LARGE_AT_ONCE, large.size()); i > 0; i--) {
      threads.execute(() -> readOneByOne(large));
    }
    if (!small.isEmpty()) {
      threads.execute(() -> readAll(small));
    }
    return IntStream.range(0, ranges.size())
        .mapToObj(i -> Objects.requireNonNull(results.get(i)))
        .toList();
  }

  /** Which ranges are read together, by their beginnings. */
  static List<Group> group(List<ByteRange> ranges, long fileLength) {
    var groups = new ArrayList<Group>();
    int[] order =
        IntStream.range(0, ranges.size())
            .boxed()
            .sorted(Comparator.comparingLong(i -> ranges.get(i).offset()))
            .mapToInt(i -> i)
            .toArray();
    Group last = null;
    for (int index : order) {
      ByteRange range = ranges.get(index);
      boolean small = range.length() < LARGE && range.end() <= fileLength;
      if (last != null && small && joins(last.whole(), range)) {
        last = joined(last, index, range);
        groups.set(groups.size() - 1, last);
        continue;
      }
      var alone = new Group(range, List.of(index));
      groups.add(alone);
      last = small ? alone : null;
    }
    return groups;
  }

  private static boolean joins(ByteRange group, ByteRange next) {
    return next.offset() - group.end() <= NEAR && next.end() - group.offset() <= MOST;
  }

  private static Group joined(Group group, int index, ByteRange range) {
    var parts = new ArrayList<>(group.parts());
    parts.add(index);
    long begin = group.whole().offset();
    long end = Math.max(group.whole().end(), range.end());
    return new Group(new ByteRange(begin, end - begin), List.copyOf(parts));
  }

  /** A read that is made by itself. */
  private record Large(ByteRange range, CompletableFuture<ByteBuffer> result) {}

  private void readOneByOne(Queue<Large> left) {
    for (Large next = left.poll(); next != null; next = left.poll()) {
      try {
        ByteBuffer target = allocate.apply(Math.toIntExact(next.range.length()));
        plain.readFully(next.range.offset(), target);
        next.result.complete(target.flip());
      } catch (EleyException | RuntimeException | Error e) {
        next.result.completeExceptionally(e);
      }
    }
  }

  /** A read that is made together with others. */
  private record Small(
      ByteRange range, IntFunction<ByteBuffer> buffers, CompletableFuture<ByteBuffer> result) {}

  /** One of them that was asked for. */
  private record UnderWay(Small small, ByteBuffer target, Started read) {}

  private void readAll(List<Small> all) {
    var underWay = new ArrayDeque<UnderWay>();
    try {
      for (Small small : all) {
        if (underWay.size() == IN_FLIGHT) {
          finish(underWay.remove());
        }
        begin(small).ifPresent(underWay::add);
      }
      underWay.forEach(this::finish);
    } finally {
      plain.done();
    }
  }

  private Optional<UnderWay> begin(Small small) {
    try {
      ByteBuffer target = small.buffers.apply(Math.toIntExact(small.range.length()));
      return Optional.of(new UnderWay(small, target, plain.start(small.range.offset(), target)));
    } catch (EleyException | RuntimeException | Error e) {
      // Whoever waits for a future without a deadline would wait for ever.
      small.result.completeExceptionally(e);
      return Optional.empty();
    }
  }

  private void finish(UnderWay one) {
    ByteBuffer target = one.target;
    try {
      if (target.hasRemaining()) {
        int count = one.read.await();
        if (target.hasRemaining()) { // behind a block's end, or the file's
          plain.readFully(one.small.range.offset() + Math.max(0, count), target);
        }
      }
      one.small.result.complete(target.flip());
    } catch (EleyException | RuntimeException | Error e) {
      // Whatever becomes of one, the others that are under way are waited for.
      one.small.result.completeExceptionally(e);
    }
  }

  private ByteBuffer part(ByteBuffer all, ByteRange whole, ByteRange range) {
    int length = Math.toIntExact(range.length());
    ByteBuffer target = allocate.apply(length);
    target.put(all.slice((int) (range.offset() - whole.offset()), length));
    return target.flip();
  }
}
