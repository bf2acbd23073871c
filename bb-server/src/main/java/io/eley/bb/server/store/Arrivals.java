package io.eley.bb.server.store;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.error.EleyException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps which chunks of one block have arrived, their checksums, and the futures that wait for
 * them. Chunks arrive in any order.
 *
 * <p>Safe for several threads. Futures are completed on the thread that {@link #mark}s or {@link
 * #fail}s, with no lock held.
 */
final class Arrivals {
  private final BlockGeometry geometry;
  private final int length;
  private final int chunks;
  private final int[] checksums;
  private final BitSet arrived;
  private List<Waiter> waiters = new ArrayList<>(2);
  private @Nullable EleyException failure;

  private record Waiter(int first, int last, CompletableFuture<Void> future) {}

  /** Arrivals of a block of which nothing is there yet. */
  Arrivals(BlockGeometry geometry, int length) {
    this.geometry = geometry;
    this.length = length;
    chunks = geometry.chunkCount(length);
    checksums = new int[geometry.pageCount(length)];
    arrived = new BitSet(chunks);
  }

  /** Arrivals of a block that is complete. */
  static Arrivals complete(BlockFooter footer) {
    var all = new Arrivals(footer.geometry(), footer.geometry().length(footer.block()));
    for (int page = 0; page < all.checksums.length; page++) {
      all.checksums[page] = footer.checksums().get(page);
    }
    all.arrived.set(0, all.chunks);
    return all;
  }

  int length() {
    return length;
  }

  int pages() {
    return checksums.length;
  }

  /** Bytes in one page; the last may be shorter. */
  int pageLength(int page) {
    return Math.min(geometry.pageSize(), length - page * geometry.pageSize());
  }

  /** Bytes in one chunk; the last may be shorter. */
  int chunkLength(int chunk) {
    return Math.min(geometry.chunkSize(), length - chunk * geometry.chunkSize());
  }

  synchronized boolean has(int chunk) {
    return arrived.get(chunk);
  }

  /** CRC32C of a page that has arrived. */
  synchronized int checksum(int page) {
    return checksums[page];
  }

  /** Number of chunks that have not arrived. */
  synchronized int missing() {
    return chunks - arrived.cardinality();
  }

  /** Whether these bytes have arrived. */
  synchronized boolean covers(int offset, int bytes) {
    requireRange(offset, bytes);
    return coversChunks(chunkOf(offset), lastChunk(offset, bytes));
  }

  /** A future that completes when these bytes have arrived, at once when they have. */
  CompletableFuture<Void> when(int offset, int bytes) {
    requireRange(offset, bytes);
    var waiter = new Waiter(chunkOf(offset), lastChunk(offset, bytes), new CompletableFuture<>());
    EleyException failed;
    synchronized (this) {
      failed = failure;
      if (coversChunks(waiter.first, waiter.last)) {
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
   * Notes that the chunk is on the RAM-disk, and completes the futures that waited for it.
   *
   * @param sums of the chunk's pages
   */
  void mark(int chunk, int[] sums) {
    var reached = new ArrayList<Waiter>();
    synchronized (this) {
      int first = chunk * (geometry.chunkSize() / geometry.pageSize());
      System.arraycopy(sums, 0, checksums, first, sums.length);
      arrived.set(chunk);
      waiters.removeIf(w -> coversChunks(w.first, w.last) && reached.add(w));
    }
    reached.forEach(waiter -> waiter.future.complete(null));
  }

  /**
   * Notes that no more chunks will arrive, and fails the futures that wait. The first failure
   * stays.
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

  /** Why no more chunks will arrive; null while they may. */
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

  private boolean coversChunks(int first, int last) {
    return arrived.nextClearBit(first) > last;
  }

  private int chunkOf(int offset) {
    return offset / geometry.chunkSize();
  }

  private int lastChunk(int offset, int bytes) {
    return chunkOf(offset + bytes - 1);
  }

  private void requireRange(int offset, int bytes) {
    if (offset < 0 || bytes < 1 || offset > length - bytes) {
      throw new IllegalArgumentException(
          "not a range of a block of " + length + " bytes: offset " + offset + ", length " + bytes);
    }
  }
}
