package io.eley.bb.server.store;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.error.EleyException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps which pages of one block have arrived, their checksums, and the futures that wait for them.
 * Pages arrive in any order, and some may never: a block may hold a part of its bytes.
 *
 * <p>Safe for several threads. Futures are completed on the thread that {@link #mark}s or {@link
 * #fail}s, with no lock held.
 */
final class Arrivals {
  private final BlockGeometry geometry;
  private final int length;
  private final int[] checksums;
  private final BitSet arrived;
  private List<Waiter> waiters = new ArrayList<>(2);
  private @Nullable EleyException failure;

  private record Waiter(int first, int last, CompletableFuture<Void> future) {}

  /** Arrivals of a block of which nothing is there yet. */
  Arrivals(BlockGeometry geometry, int length) {
    this.geometry = geometry;
    this.length = length;
    checksums = new int[geometry.pageCount(length)];
    arrived = new BitSet(checksums.length);
  }

  /** Arrivals of a block that is complete. */
  static Arrivals complete(BlockFooter footer) {
    var all = new Arrivals(footer.geometry(), footer.geometry().length(footer.block()));
    for (int page = 0; page < all.checksums.length; page++) {
      all.checksums[page] = footer.checksums().get(page);
    }
    all.arrived.set(0, all.checksums.length);
    return all;
  }

  int length() {
    return length;
  }

  int pageCount() {
    return checksums.length;
  }

  /** The pages that have arrived; a copy. */
  synchronized BitSet pages() {
    return (BitSet) arrived.clone();
  }

  /** Bytes in one page; the last may be shorter. */
  int pageLength(int page) {
    return Math.min(geometry.pageSize(), length - page * geometry.pageSize());
  }

  /** Whether a page has arrived. */
  synchronized boolean has(int page) {
    return arrived.get(page);
  }

  /** CRC32C of a page that has arrived. */
  synchronized int checksum(int page) {
    return checksums[page];
  }

  /** Number of pages that have not arrived. */
  synchronized int missing() {
    return checksums.length - arrived.cardinality();
  }

  /** Bytes that have arrived. */
  synchronized int bytes() {
    int last = checksums.length - 1;
    int rest = arrived.get(last) ? pageLength(last) - geometry.pageSize() : 0;
    return arrived.cardinality() * geometry.pageSize() + rest;
  }

  /** Whether all of these pages have arrived. */
  synchronized boolean covers(BitSet pages) {
    var missing = (BitSet) pages.clone();
    missing.andNot(arrived);
    return missing.isEmpty();
  }

  /** Whether these bytes have arrived. */
  synchronized boolean covers(int offset, int bytes) {
    requireRange(offset, bytes);
    return coversPages(pageOf(offset), lastPage(offset, bytes));
  }

  /** A future that completes when these bytes have arrived, at once when they have. */
  CompletableFuture<Void> when(int offset, int bytes) {
    requireRange(offset, bytes);
    var waiter = new Waiter(pageOf(offset), lastPage(offset, bytes), new CompletableFuture<>());
    EleyException failed;
    synchronized (this) {
      failed = failure;
      if (coversPages(waiter.first, waiter.last)) {
        return CompletableFuture.completedFuture(null);
      }
      if (failed == null) {
        waiters.add(waiter);
        return waiter.future;
      }
    }
    return CompletableFuture.failedFuture(failed);
  }

  /**
   * Notes that pages are on the RAM-disk, and completes the futures that waited for them.
   *
   * @param sums of the pages, from {@code first} on
   */
  void mark(int first, int[] sums) {
    var reached = new ArrayList<Waiter>();
    synchronized (this) {
      System.arraycopy(sums, 0, checksums, first, sums.length);
      arrived.set(first, first + sums.length);
      waiters.removeIf(w -> coversPages(w.first, w.last) && reached.add(w));
    }
    reached.forEach(waiter -> waiter.future.complete(null));
  }

  /**
   * Notes that no more pages will arrive, and fails the futures that wait. The first failure stays.
   */
  void fail(EleyException error) {
    List<Waiter> disappointed;
    synchronized (this) {
      if (failure != null) {
        return;
      }
      failure = error;
      disappointed = waiters;
      waiters = List.of();
    }
    disappointed.forEach(waiter -> waiter.future.completeExceptionally(error));
  }

  /** Why no more pages will arrive; null while they may. */
  synchronized @Nullable EleyException failure() {
    return failure;
  }

  /**
   * The checksums of the pages that make up a range that has arrived.
   *
   * @throws IllegalArgumentException when the range does not begin and end with pages
   * @throws IllegalStateException when it has not arrived
   */
  synchronized List<Integer> checksums(int offset, int bytes) {
    requireRange(offset, bytes);
    int page = geometry.pageSize();
    int end = offset + bytes;
    if (offset % page != 0 || (end % page != 0 && end != length)) {
      throw new IllegalArgumentException(
          "checksums are of whole pages, not of " + bytes + " bytes at " + offset);
    }
    if (!covers(offset, bytes)) {
      throw new IllegalStateException("no checksum of bytes that have not arrived");
    }
    var sums = new ArrayList<Integer>();
    for (int i = offset / page; i <= (end - 1) / page; i++) {
      sums.add(checksums[i]);
    }
    return sums;
  }

  private boolean coversPages(int first, int last) {
    return arrived.nextClearBit(first) > last;
  }

  private int pageOf(int offset) {
    return offset / geometry.pageSize();
  }

  private int lastPage(int offset, int bytes) {
    return pageOf(offset + bytes - 1);
  }

  private void requireRange(int offset, int bytes) {
    if (offset < 0 || bytes < 1 || offset > length - bytes) {
      throw new IllegalArgumentException(
          "not a range of a block of " + length + " bytes: offset " + offset + ", length " + bytes);
    }
  }
}
