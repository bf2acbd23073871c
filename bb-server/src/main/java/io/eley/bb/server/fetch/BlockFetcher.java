package io.eley.bb.server.fetch;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedFile;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.BlockWriter;
import io.eley.bb.server.store.StoredBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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
 *  wanted ──► reserve space, open, same version? ──► piece, piece, … ──► same version? ──► commit
 *                        │                                                             or suspend
 *                        └── NO_SPACE, STALE_VERSION, ORIGIN_HUNG, … ──► abort, readers told ◄─┘
 * </pre>
 *
 * A block of one chunk of which all is wanted is opened, read, checked and closed by one call, and
 * such blocks of small files that follow each other in the queue go together, a chunk's bytes at a
 * time ({@link FetchTogether}): else a small file costs four hand-overs between threads.
 *
 * <p>A piece is a run of wanted pages within a chunk; what nobody wants is not read, and the block
 * stays a part then. Where the origin reads several runs at once ({@link
 * io.eley.bb.api.origin.OriginFile#atOnce}), a turn is some pieces, a chunk's bytes at most. The
 * version is checked again before the last piece that is wanted, or that completes what somebody
 * waits for, is shown to readers: so whoever waited until he was given all has been given one
 * version. So it is when the last look was a second ago, as behind a hold: who asks for what is
 * there waits for nothing.
 *
 * <h2>Order of locks</h2>
 *
 * Queue, then gate; queue, then a job's monitor, then the store's lock. The listener is called with
 * none of them. Before a block arrives in the store its job is in the queue. The job leaves the
 * queue after the block is committed, but before it is left as a part: who wants more of it then
 * makes a new job, which waits for that moment.
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

  /**
   * Bytes are shown to readers who do not wait for them, too, and may be for as long as a hold
   * lasts: no more of them without a look at the file's version than come in this time.
   */
  private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Origin origin;
  private final LongSupplier nanos;
  private final GuardedOrigin guard;
  private final BlockStore store;
  private final FetchQueue queue;
  private final FetchListener listener;
  private final ChunkReader reader;
  private final FetchTogether together;
  private final long mostBytesAtOnce;
  private final List<Thread> threads = new ArrayList<>();

  private BlockFetcher(
      FetchOptions options,
      Origin origin,
      BlockStore store,
      PermitGate gate,
      FetchListener listener,
      LongSupplier nanos) {
    this.origin = origin;
    this.nanos = nanos;
    this.store = store;
    this.listener = listener;
    reader = new ChunkReader(listener);
    mostBytesAtOnce = (long) options.most() * store.geometry().chunkSize();
    queue = new FetchQueue(gate, store.geometry().chunkSize(), options.most());
    guard =
        new GuardedOrigin(
            "eley-fetch-origin", options.most() + options.hungCallsMax(), options.deadline());
    together = new FetchTogether(guard, origin, store, reader, gate);
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
    return start(options, origin, store, gate, listener, System::nanoTime);
  }

  /** The same with a monotonic clock, in nanoseconds. */
  static BlockFetcher start(
      FetchOptions options,
      Origin origin,
      BlockStore store,
      PermitGate gate,
      FetchListener listener,
      LongSupplier nanos) {
    var fetcher = new BlockFetcher(options, origin, store, gate, listener, nanos);
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
   * Prefetches these parts of blocks, in this order, after those that were ordered before. Those
   * that are there are reported again and are not consumed any more.
   */
  public void order(List<BlockPart> parts) {
    for (BlockPart part : parts) {
      try {
        order(part);
      } catch (EleyException e) {
        listener.failed(part.block(), e);
      }
    }
  }

  private void order(BlockPart part) throws EleyException {
    BlockId block = part.block();
    if (part.pages().isAll()) {
      if (store.retain(block)) {
        listener.alreadyThere(block);
      } else {
        prefetch(block, new Want.Whole());
      }
      return;
    }
    BitSet pages = pagesOf(part);
    if (store.retain(block, pages)) {
      listener.partAlreadyThere(block);
    } else {
      prefetch(block, new Want.Part(pages));
    }
  }

  private void prefetch(BlockId block, Want want) throws EleyException {
    FetchJob unused = enroll(block, ReadCause.PREFETCH, want);
  }

  private BitSet pagesOf(BlockPart part) throws EleyException {
    try {
      return part.pages().bits(store.geometry().pageCount(lengthFrom(part.block(), 0)));
    } catch (IllegalArgumentException e) {
      throw new EleyException(ErrorCode.MALFORMED, e.getMessage() + ": " + part.block(), e);
    }
  }

  /**
   * Pins a block that has these bytes or gets them next. What it lacks is fetched, and nothing else
   * of the block.
   *
   * @param offset first byte within the block that somebody waits for
   * @param length bytes that he waits for, at least 1
   * @param ahead bytes behind them to fetch, too, cut at the block's end
   * @param cause {@code DEMAND} or {@code READ_AHEAD}
   * @throws EleyException {@code NO_SPACE}; {@code MALFORMED} when the file has no such bytes;
   *     {@code UNAVAILABLE} when closed
   */
  public StoredBlock demand(BlockId block, int offset, int length, int ahead, ReadCause cause)
      throws EleyException {
    if (cause != ReadCause.DEMAND && cause != ReadCause.READ_AHEAD) {
      throw new IllegalArgumentException("not a cause of a node's fetch on demand: " + cause);
    }
    int all = Math.min(lengthFrom(block, offset), (int) Math.min(1 << 30, (long) length + ahead));
    var want = new Want.Bytes(offset, Math.min(length, all), all - Math.min(length, all));
    while (true) {
      Optional<StoredBlock> held = store.acquire(block);
      if (held.isPresent() && held.get().arrived(offset, all)) {
        return held.get();
      }
      held.ifPresent(StoredBlock::close);
      FetchJob job = enroll(block, cause, want);
      try {
        Optional<StoredBlock> arriving = job.pin(store, cause);
        if (arriving.isPresent()) {
          return arriving.get();
        }
      } catch (EleyException e) {
        boolean over = queue.discard(job); // else it goes on, and whoever ends it tells
        Optional<StoredBlock> part = store.acquire(block);
        boolean here = part.isPresent() && part.get().arrived(offset, want.length());
        if (over && (!here || job.wanted.ordered())) {
          listener.failed(block, e);
        }
        if (here) {
          return part.get(); // there was no room for what is ahead, which nobody waits for
        }
        part.ifPresent(StoredBlock::close);
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

  /**
   * Notes that who gave the orders will not free what came of them: it is kept for nobody from now
   * on, nor what is still fetched for them.
   */
  public void forgetOrders() {
    queue.disown();
    store.forgetPlans();
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

  /** What a hold cannot stop at most, in bytes: a chunk for each fetcher thread. */
  public long mostBytesAtOnce() {
    return mostBytesAtOnce;
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
    if (threads.stream().noneMatch(Thread::isAlive)) {
      guard.close(); // else a fetcher needs it, to close its file
    }
  }

  private FetchJob enroll(BlockId block, ReadCause cause, Want want) throws EleyException {
    int unused = lengthFrom(block, 0);
    return queue.enroll(
        block,
        cause,
        want,
        () -> new FetchJob(block, cause, new WantedPages(store.geometry(), block)));
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
      if (turn.kind() == FetchQueue.Turn.Kind.TOGETHER) {
        fetchTogether(turn, buffer);
        continue;
      }
      try {
        if (move(turn, buffer)) {
          queue.finish(turn);
        } else {
          goOn(turn);
        }
      } catch (EleyException e) {
        fail(turn, e);
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.error("a fetch of block {} met a defect", job.id, e);
        fail(turn, new EleyException(ErrorCode.INTERNAL, "the fetch failed: " + job.id, e));
      }
    }
  }

  private void fetchTogether(FetchQueue.Turn turn, ChunkReader.Buffer buffer) {
    FetchTogether.Outcome outcome = together.fetch(turn, buffer);
    if (queue.finish(turn, outcome.later()) == FetchQueue.Next.CLOSED) {
      outcome.later().forEach(job -> end(job, stopping()));
    }
    outcome
        .failed()
        .forEach(
            (job, error) -> {
              end(job, error);
              listener.failed(job.id, error);
            });
  }

  private void goOn(FetchQueue.Turn turn) {
    FetchJob job = turn.job();
    switch (queue.giveBack(turn)) {
      case GOES_ON -> {}
      case CLOSED -> end(job, stopping());
      case DONE -> {
        try {
          job.finish();
        } catch (EleyException e) {
          listener.failed(job.id, e);
        }
        closeFile(job);
      }
    }
  }

  /** Does one step of a fetch; returns whether the whole block is there and the fetch over. */
  private boolean move(FetchQueue.Turn turn, ChunkReader.Buffer buffer) throws EleyException {
    FetchJob job = turn.job();
    Optional<BlockWriter> writer = job.writer(store, turn.cause());
    if (writer.isEmpty()) {
      return alreadyThere(job);
    }
    if (job.file == null) {
      job.lookedAt = nanos.getAsLong();
      job.file = GuardedFile.open(guard, job.id.file(), () -> origin.open(job.id.file()));
      return false;
    }
    copyPieces(job, job.file, writer.get(), turn.cause(), buffer);
    if (!writer.get().full()) {
      return false;
    }
    job.finish();
    closeFile(job);
    return true;
  }

  /** Whether a former fetch has brought all of the block; else that one is just ending. */
  private boolean alreadyThere(FetchJob job) {
    if (!job.foundWhole(store)) {
      Thread.onSpinWait();
      return false;
    }
    listener.alreadyThere(job.id);
    return true;
  }

  private void copyPieces(
      FetchJob job,
      GuardedFile file,
      BlockWriter writer,
      ReadCause cause,
      ChunkReader.Buffer buffer)
      throws EleyException {
    List<WantedPages.Piece> pieces = job.nextPieces(writer.written());
    if (pieces.isEmpty()) {
      return; // a part that a former fetch has left was enough
    }
    int length = pieces.stream().mapToInt(WantedPages.Piece::length).sum();
    writer.requireRoom(length);
    ByteBuffer bytes = buffer.take(length);
    reader.read(file, pieces.stream().map(piece -> place(job, piece)).toList(), cause, bytes);
    long now = nanos.getAsLong();
    if (job.wanted.complete(pieces, writer.written()) || now - job.lookedAt >= LOOK_AGAIN_NANOS) {
      file.requireUnchanged(job.id.file());
      job.lookedAt = now;
    }
    int at = 0;
    for (WantedPages.Piece piece : pieces) {
      writer.write(piece.offset(), bytes.slice(at, piece.length()));
      at += piece.length();
    }
    buffer.give(bytes);
  }

  private ChunkReader.Place place(FetchJob job, WantedPages.Piece piece) {
    long begin = store.geometry().range(job.id).offset();
    return new ChunkReader.Place(job.id, begin + piece.offset(), piece.length());
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

  /** Bytes from an offset to the block's end. */
  private int lengthFrom(BlockId block, int offset) throws EleyException {
    int length;
    try {
      length = store.geometry().length(block);
    } catch (IllegalArgumentException e) {
      throw new EleyException(ErrorCode.MALFORMED, e.getMessage() + "", e);
    }
    if (offset < 0 || offset >= length) {
      throw new EleyException(
          ErrorCode.MALFORMED, "offset " + offset + " is not in block " + block);
    }
    return length - offset;
  }

  private static EleyException stopping() {
    return new EleyException(ErrorCode.UNAVAILABLE, "the node is stopping");
  }
}
