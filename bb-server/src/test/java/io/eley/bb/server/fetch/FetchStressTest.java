package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import io.eley.bb.server.store.StoredBlock;
import io.eley.test.fixtures.FakeOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers, orders, cancellations, freed blocks, permits that open and close and reads that fail,
 * all at once, in a store that holds a quarter of the file. Whatever a reader is given is right;
 * space is never exceeded; and when all is over nothing is left behind.
 */
class FetchStressTest {
  private static final int CHUNK = 4096;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(4 * CHUNK, CHUNK);
  private static final int BLOCKS = 32;
  private static final int READERS = 4;
  private static final int READS = 400;

  @TempDir Path directory;

  private final FakeOrigin origin = new FakeOrigin();
  private final FileVersion file = origin.put("/a", BLOCKS * GEOMETRY.blockSize() - 123, 1);
  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1 << 20, 8, System::nanoTime);
  private final AtomicInteger served = new AtomicInteger();

  @Test
  void everyReaderGetsTheRightBytesAndNothingIsLeftBehind() throws Exception {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("FetchStressTest seed " + seed);
    origin.beforeRead =
        (n, read) -> {
          if (n % 50 == 0) {
            throw new EleyException(ErrorCode.ORIGIN_FAILED, "every fiftieth read fails");
          }
        };
    var store =
        BlockStore.open(
            new StoreOptions(directory, GEOMETRY, (long) BLOCKS / 4 * 5 * CHUNK),
            StoreListener.NONE);
    var fetcher =
        BlockFetcher.start(
            new FetchOptions(3, Duration.ofSeconds(30), 4),
            origin,
            store,
            gate,
            FetchListener.NONE);
    permit(1, Lane.OPEN);
    var threads = Executors.newFixedThreadPool(READERS + 1);
    try {
      var readers =
          IntStream.range(0, READERS)
              .mapToObj(
                  i -> CompletableFuture.runAsync(() -> read(store, fetcher, seed + i), threads))
              .toList();
      var planner = CompletableFuture.runAsync(() -> plan(store, fetcher, seed + READERS), threads);
      for (var thread : readers) {
        thread.get(60, TimeUnit.SECONDS);
      }
      planner.get(60, TimeUnit.SECONDS);
      permit(Long.MAX_VALUE, Lane.OPEN);
      await().until(() -> fetcher.queued() == 0 && settled(store));
    } finally {
      threads.shutdownNow();
      fetcher.close();
    }
    assertThat(served.get()).isGreaterThan(READERS * READS / 2);
    assertThat(settled(store)).isTrue();
    assertThat(origin.closes.get()).isEqualTo(origin.opens.get());
    store.close();
  }

  private static boolean settled(BlockStore store) {
    return store.usedBytes() - store.partialBytes()
        == store.inventory().stream().mapToLong(store::footprintBytes).sum();
  }

  private void permit(long sequence, Lane prefetch) {
    gate.apply(new Permit(sequence, prefetch, Lane.OPEN, Duration.ofHours(1), "test"));
  }

  private void plan(BlockStore store, BlockFetcher fetcher, long seed) {
    var random = new Random(seed);
    for (int i = 2; i < READS; i++) {
      List<BlockId> some =
          IntStream.range(0, 3).mapToObj(n -> new BlockId(file, random.nextInt(BLOCKS))).toList();
      switch (random.nextInt(4)) {
        case 0 -> fetcher.order(BlockPart.whole(some));
        case 1 -> {
          fetcher.cancel(some);
          store.free(some);
        }
        case 2 -> permit(i, random.nextBoolean() ? Lane.OPEN : Lane.CLOSED);
        default -> assertThat(store.usedBytes()).isLessThanOrEqualTo(store.capacityBytes());
      }
    }
  }

  private void read(BlockStore store, BlockFetcher fetcher, long seed) {
    var random = new Random(seed);
    for (int i = 0; i < READS; i++) {
      var block = new BlockId(file, random.nextInt(BLOCKS));
      int length = GEOMETRY.length(block);
      int offset = random.nextInt(length);
      int count = 1 + random.nextInt(length - offset);
      try (StoredBlock held = fetcher.demand(block, offset, count, 0, ReadCause.DEMAND)) {
        held.whenArrived(offset, count).get(30, TimeUnit.SECONDS);
        check(held, offset, count);
        served.incrementAndGet();
      } catch (ExecutionException e) {
        assertExpected((EleyException) Objects.requireNonNull(e.getCause()));
      } catch (EleyException e) {
        assertExpected(e);
      } catch (IOException | InterruptedException | TimeoutException e) {
        throw new CompletionException(e);
      }
      assertThat(store.usedBytes()).isLessThanOrEqualTo(store.capacityBytes());
    }
  }

  /** Reads fail by order; a read that meets another one's failure, or a full store, is told so. */
  private static void assertExpected(EleyException e) {
    assertThat(e.code()).isIn(ErrorCode.ORIGIN_FAILED, ErrorCode.UNAVAILABLE, ErrorCode.NO_SPACE);
  }

  private void check(StoredBlock held, int offset, int count) throws IOException {
    var bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      assertThat(held.channel().read(bytes, offset + bytes.position())).isPositive();
    }
    long start = GEOMETRY.range(held.id()).offset() + offset;
    assertThat(bytes.array()).isEqualTo(origin.bytes(file.path(), start, count));
  }
}
