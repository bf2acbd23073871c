package io.eley.bb.server.fetch;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.BlockWriter;
import io.eley.bb.server.store.StoredBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches blocks from the origin into the store, one chunk at a time, each chunk under the permit.
 *
 * <h2>The problem</h2>
 *
 * When an HPC application begins its I/O, our traffic must stop within milliseconds, wherever in a
 * block we are. A task that waits for one chunk must not wait for a queue of prefetches. And any
 * call into a parallel file system may hang for ever.
 *
 * <h2>Threads</h2>
 *
 * {@code eley.fetch.concurrency-max} fetcher threads each do, for ever: ask the {@link FetchQueue}
 * for a turn, which it gives only when the {@link PermitGate} lets that chunk go; read one chunk;
 * write it to the store; give the fetch back. So each chunk is decided anew, a demand read
 * overtakes a prefetch between two chunks of it, and a fetch that is held occupies no thread.
 * Origin calls run on expendable threads of a {@link GuardedOrigin}; a fetcher waits for one up to
 * {@code eley.fetch.deadline}, then gives up the call, its buffer, the file and the block, not
 * itself. Fetcher threads are never interrupted: that would close the file a block is written to.
 *
 * <h2>A fetch</h2>
 *
 * <pre>
 *  ordered ──► reserve space, open, same version? ──► chunk, chunk, … ──► same version? ──► commit
 *                        └── NO_SPACE, STALE_VERSION, ORIGIN_HUNG, … ──► abort, readers told ◄─┘
 * </pre>
 *
 * The version is checked again before the last chunk is shown to readers, so whoever has been given
 * all of a block has been given one version.
 *
 * <h2>Order of locks</h2>
 *
 * Queue, then gate. A job's monitor, then the store's lock. The listener is called with none of
 * them. Before a block arrives in the store its job is in the queue, and the job leaves the queue
 * after the block is committed; so who finds an arriving block finds its job.
 *
 * <p>Safe for several threads; nothing but {@link #close} blocks.
 */
public final class BlockFetcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockFetcher.class);

  /**
   * How long closing waits for fetchers; one whose call hangs longer ends by itself at its
   * deadline.
   */
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Origin origin;
  private final GuardedOrigin guard;
  private final BlockStore store;
  private final FetchQueue queue;
  private final FetchListener listener;
  private final ChunkReader reader;
  private final List<Thread> threads = new ArrayList<>();

  private BlockFetcher(
      FetchOptions options,
      Origin origin,
      BlockStore store,
      PermitGate gate,
      FetchListener listener) {
    this.origin = origin;
    this.store = store;
    this.listener = listener;
    reader = new ChunkReader(listener);
    queue = new FetchQueue(gate);
    guard =
        new GuardedOrigin(
            "eley-fetch-origin", options.most() + options.hungCallsMax(), options.deadline());
    gate.setListener(queue::wake);
  }

  /**
   * Starts the fetcher threads.
   *
   * @param origin stays the caller's; outlives the fetcher
   * @param store stays the caller's; outlives the fetcher
   * @param gate serves this fetcher alone
   * @throws OutOfMemoryError when the system does not give all of its threads; nothing is left
   *     running
   */
  public static BlockFetcher start(
      FetchOptions options,
      Origin origin,
      BlockStore store,
      PermitGate gate,
      FetchListener listener) {
    var fetcher = new BlockFetcher(options, origin, store, gate, listener);
    try {
      fetcher.startThreads(options.most());
      return fetcher;
    } catch (OutOfMemoryError e) {
      fetcher.close();
      throw e;
    }
  }

  private void startThreads(int count) {
    for (int i = 1; i <= count; i++) {
      var thread = new Thread(this::fetch, "eley-fetch-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  /**
   * Prefetches these blocks, in this order, after those that were ordered before. Blocks that are
   * there are reported again and are not consumed any more.
   */
  public void order(List<BlockId> blocks) {
    for (BlockId block : blocks) {
      if (store.retain(block)) {
        listener.alreadyThere(block);
        continue;
      }
      try {
        enroll(block, ReadCause.PREFETCH, FetchQueue.NO_CHUNK);
      } catch (EleyException e) {
        listener.failed(block, e);
      }
    }
  }

  /**
   * Pins a block that is complete, or arriving with the chunk at {@code offset} next. When it is
   * neither, reserves its space and queues its fetch.
   *
   * @param offset first byte within the block that somebody waits for
   * @param cause {@code DEMAND} or {@code READ_AHEAD}
   * @throws EleyException {@code NO_SPACE}; {@code MALFORMED} when the file has no such byte;
   *     {@code UNAVAILABLE} when closed
   */
  public StoredBlock demand(BlockId block, int offset, ReadCause cause) throws EleyException {
    if (cause != ReadCause.DEMAND && cause != ReadCause.READ_AHEAD) {
      throw new IllegalArgumentException("not a cause of a node's fetch on demand: " + cause);
    }
    int chunk = chunkAt(block, offset);
    while (true) {
      Optional<StoredBlock> held = store.acquire(block);
      if (held.isPresent()) {
        queue.promote(block, cause, chunk);
        return held.get();
      }
      FetchJob job = enroll(block, cause, chunk);
      try {
        Optional<StoredBlock> arriving = job.pin(store);
        if (arriving.isPresent()) {
          return arriving.get();
        }
      } catch (EleyException e) {
        queue.discard(job);
        listener.failed(block, e);
        throw e;
      }
      // The former fetch of this block is just ending on another thread: try again.
      Thread.onSpinWait();
    }
  }

  /**
   * Cancels fetches that were ordered, unless a reader has asked for the block since; chunks of
   * them that have arrived are dropped.
   */
  public void cancel(Collection<BlockId> blocks) {
    queue.cancel(blocks);
  }

  /** Bytes read from the origin since the start, by cause. */
  public Map<ReadCause, Long> originBytes() {
    return reader.bytesByCause();
  }

  /**
   * The reads of the origin that are under way, and how long they have taken by now; of calls that
   * hang those of other kinds, too.
   */
  public List<ReadTime> readsUnderWay() {
    return Stream.concat(
            reader.underWay().stream().filter(read -> !read.hangs()),
            guard.underWayFor(ReadTime.HANGS).stream().map(ReadTime::hanging))
        .toList();
  }

  /** Fetches that wait for a permit or for a fetcher. */
  public int queued() {
    return queue.waiting();
  }

  /** Origin calls that have passed their deadline and not come back. */
  public int hungCalls() {
    return guard.hungCalls();
  }

  /**
   * Ends all fetches; who waits for one gets {@code UNAVAILABLE}. Waits up to 2 s for calls under
   * way; a fetcher in a call that hangs ends at its deadline.
   */
  @Override
  public void close() {
    queue.close().forEach(job -> end(job, stopping()));
    long deadline = System.nanoTime() + CLOSE_NANOS;
    for (Thread thread : threads) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    guard.close();
  }

  private FetchJob enroll(BlockId block, ReadCause cause, int chunk) throws EleyException {
    int chunks = store.geometry().chunkCount(lengthOf(block));
    int chunkBytes = Math.min(store.geometry().chunkSize(), lengthOf(block));
    return queue.enroll(
        block,
        cause,
        chunk,
        () -> new FetchJob(block, cause, chunkBytes, new ChunkOrder(block.index(), chunks)));
  }

  /** The loop of a fetcher thread. */
  private void fetch() {
    var buffer = new ChunkReader.Buffer(store.geometry().chunkSize());
    for (var turn = queue.take(); turn != null; turn = queue.take()) {
      FetchJob job = turn.job();
      if (turn.kind() == FetchQueue.Turn.Kind.END) {
        end(job, new EleyException(ErrorCode.UNAVAILABLE, "the fetch was cancelled: " + job.id));
        continue;
      }
      try {
        if (move(turn, buffer)) {
          queue.finish(turn);
        } else if (!queue.giveBack(turn)) {
          end(job, stopping());
        }
      } catch (EleyException e) {
        fail(turn, e);
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.error("a fetch of block {} met a defect", job.id, e);
        fail(turn, new EleyException(ErrorCode.INTERNAL, "the fetch failed: " + job.id, e));
      }
    }
  }

  /** Does one step of a fetch; returns whether the block is complete. */
  private boolean move(FetchQueue.Turn turn, ChunkReader.Buffer buffer) throws EleyException {
    FetchJob job = turn.job();
    Optional<BlockWriter> writer = job.writer(store);
    if (writer.isEmpty()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "a former fetch is just ending: " + job.id);
    }
    if (job.file == null) {
      job.file = GuardedFile.open(guard, origin, job.id.file());
      return false;
    }
    copyChunk(job, job.file, writer.get(), turn.cause(), buffer);
    if (!writer.get().full()) {
      return false;
    }
    job.commit();
    closeFile(job);
    return true;
  }

  private void copyChunk(
      FetchJob job,
      GuardedFile file,
      BlockWriter writer,
      ReadCause cause,
      ChunkReader.Buffer buffer)
      throws EleyException {
    int chunk = job.order.next(writer::has);
    long inBlock = (long) chunk * store.geometry().chunkSize();
    long position = store.geometry().range(job.id).offset() + inBlock;
    var place = new ChunkReader.Place(job.id, position, writer.chunkLength(chunk));
    writer.requireRoom(chunk);
    ByteBuffer bytes = reader.read(file, place, cause, buffer);
    if (writer.missing() == 1) {
      file.requireUnchanged(job.id.file());
    }
    writer.write(chunk, bytes);
    buffer.give(bytes);
  }

  private void fail(FetchQueue.Turn turn, EleyException error) {
    queue.finish(turn);
    end(turn.job(), error);
    listener.failed(turn.job().id, error);
  }

  private static void end(FetchJob job, EleyException error) {
    job.abort(error);
    closeFile(job);
  }

  private static void closeFile(FetchJob job) {
    GuardedFile file = job.file;
    if (file != null) {
      job.file = null;
      file.close();
    }
  }

  private int lengthOf(BlockId block) throws EleyException {
    try {
      return store.geometry().length(block);
    } catch (IllegalArgumentException e) {
      throw new EleyException(ErrorCode.MALFORMED, e.getMessage() + "", e);
    }
  }

  private int chunkAt(BlockId block, int offset) throws EleyException {
    if (offset < 0 || offset >= lengthOf(block)) {
      throw new EleyException(
          ErrorCode.MALFORMED, "offset " + offset + " is not in block " + block);
    }
    return offset / store.geometry().chunkSize();
  }

  private static EleyException stopping() {
    return new EleyException(ErrorCode.UNAVAILABLE, "the node is stopping");
  }
}
