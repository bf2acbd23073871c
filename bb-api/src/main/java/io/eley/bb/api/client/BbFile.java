package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.Placement;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.MetadataMessage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One version of one file, opened for positioned reads.
 *
 * <p>A read goes to the node that {@link Placement} names for the block: from its file when it is
 * on this machine and the block is complete, otherwise over a connection. When the node cannot
 * serve, the error says what to do: <i>retry</i> fetches the view and asks the owner again after a
 * back-off, a few times; <i>fall back</i> (and too many retries) reads the origin; <i>fail</i> is
 * the origin's own error and reaches the caller. A node that hangs ({@link LiveWait}) is not waited
 * for: the block's owner in a newer view is asked, or the origin. All that a call loses to peers in
 * this way is bounded together ({@link Patience}).
 *
 * <p>Safe for several threads; every read blocks. A thread that is interrupted gets {@code
 * INTERRUPTED} at once. Bytes are always those of the version that was opened, or the read fails
 * with {@code STALE_VERSION}.
 */
public final class BbFile implements AutoCloseable {
  /**
   * A call for more bytes may lose as much again: one bad moment must not send all to the origin.
   */
  private static final long ONE_PATIENCE = 64L << 20;

  private final EleyClient client;
  private final OriginStatus status;
  private final FileVersion version;
  private final OriginReader origin;
  private final ReadAhead ahead;
  private volatile @Nullable Ranking ranking;

  /**
   * Where the last read ended. One that begins there is part of a scan, which does not come back to
   * a block; threads that share this file only keep a lease for longer than they need it.
   */
  private volatile long lastEnd;

  private volatile boolean closed;

  BbFile(EleyClient client, OriginStatus status) {
    this.client = client;
    ahead = new ReadAhead(!client.options().readAhead());
    this.status = status;
    version = status.version();
    origin = new OriginReader(client, version);
  }

  /** The attributes of the version that is open. */
  public OriginStatus status() {
    return status;
  }

  /**
   * Reads up to {@code target.remaining()} bytes, never past the end of a block: fewer may come, as
   * with pread(2).
   *
   * @return bytes read, or -1 at or past the end of the file
   */
  public int read(long position, ByteBuffer target) throws EleyException {
    return read(position, target, client.patience());
  }

  int read(long position, ByteBuffer target, Patience patience) throws EleyException {
    if (position < 0) {
      throw new IllegalArgumentException("negative position " + position);
    }
    if (position >= version.length()) {
      return -1;
    }
    if (!target.hasRemaining()) {
      return 0;
    }
    requireNotInterrupted();
    if (client.direct(patience)) {
      return fromOrigin(position, target, ReadCause.DIRECT, Source.DIRECT);
    }
    Optional<Ranking> placed = ranking(patience);
    if (placed.isEmpty()) {
      return fallBack(position, target);
    }
    return fromNodes(position, target, placed.get(), patience);
  }

  /**
   * Starts to read as {@link #read} does. Blocks for a connection only.
   *
   * @param target belongs to the read until it was waited for or is over
   */
  public StartedRead start(long position, ByteBuffer target) throws EleyException {
    return start(position, target, client.patience(), Optional.empty());
  }

  private StartedRead start(
      long position, ByteBuffer target, Patience patience, Optional<LentConnections> lent)
      throws EleyException {
    boolean inside = position >= 0 && position < version.length() && target.hasRemaining();
    if (!inside || client.direct(patience)) {
      return new StartedBlockRead(this, position, target, patience, Optional.empty());
    }
    requireNotInterrupted();
    Optional<Ranking> placed =
        ranking(patience).filter(ranking -> remoteAndWell(ranking.nodeAt(position)));
    Optional<BlockReads.Begun> begun =
        placed.isEmpty() ? Optional.empty() : begin(position, target, placed.get(), patience, lent);
    return new StartedBlockRead(this, position, target, patience, begun);
  }

  private boolean remoteAndWell(NodeAddress node) {
    return !client.local().mayRead(node) && !client.suspects(node);
  }

  private Optional<BlockReads.Begun> begin(
      long position,
      ByteBuffer target,
      Ranking placed,
      Patience patience,
      Optional<LentConnections> lent) {
    Part part = part(position, target, placed);
    try {
      NodePool pool = client.pool(placed.nodeAt(position));
      BlockReads.Begun begun =
          patience.attempt(
              () ->
                  client
                      .blockReads()
                      .begin(new NodeAttempt(pool, patience), part.place, part.target, lent));
      lookAhead(position, target.remaining(), part.target.remaining(), placed, patience);
      return Optional.of(begun);
    } catch (EleyException e) {
      return Optional.empty(); // it is made when it is waited for, with all attempts
    }
  }

  int finish(BlockReads.Begun begun, Patience patience) throws EleyException {
    try {
      return patience.attempt(() -> client.blockReads().finish(begun));
    } finally {
      begun.asked().abandon(); // also when there is no patience left to wait
    }
  }

  /**
   * Fills the target.
   *
   * @throws EleyException {@code MALFORMED} when the file ends before
   */
  public void readFully(long position, ByteBuffer target) throws EleyException {
    long at = position;
    long renewAt = at + ONE_PATIENCE;
    Patience patience = client.patience();
    while (target.hasRemaining()) {
      if (at >= renewAt) {
        renewAt = at + ONE_PATIENCE;
        patience = client.patience();
      }
      int count = read(at, target, patience);
      if (count < 0) {
        throw new EleyException(
            ErrorCode.MALFORMED,
            "end of " + version.path() + " before byte " + (at + target.remaining()));
      }
      at += count;
    }
  }

  /**
   * Reads several ranges at once, on threads of the client; small ones that are near each other are
   * read together.
   *
   * @param allocate makes the buffer of a range, for its length; called on several threads
   * @return one future a range, in their order; the buffer is flipped, ready to be read
   */
  public List<CompletableFuture<ByteBuffer>> readVectored(
      List<ByteRange> ranges, IntFunction<ByteBuffer> allocate) {
    return new RangeReads(new Plain(), client::runPart, allocate).start(ranges, version.length());
  }

  /**
   * Gives back what it holds. Ranges that were asked for and have not begun fail with {@code
   * UNAVAILABLE}; those that have may still fill their buffers.
   */
  @Override
  public void close() throws EleyException {
    closed = true;
    client.local().release(version);
    origin.close();
  }

  private int fromNodes(long position, ByteBuffer target, Ranking first, Patience patience)
      throws EleyException {
    Ranking placed = first;
    Backoff pause = Backoff.live();
    for (int left = client.options().retries(); ; left--) {
      Ranking asked = placed;
      try {
        int wanted = target.remaining();
        int count = patience.attempt(() -> fromNode(position, target, asked, patience));
        lookAhead(position, wanted, count, asked, patience);
        return count;
      } catch (EleyException e) {
        if (e.remedy() == Remedy.FAIL) {
          throw e;
        }
        Optional<Ranking> next =
            left == 0 || patience.spent()
                ? Optional.empty()
                : afterFailure(e, asked, position, pause, patience);
        if (next.isEmpty()) {
          return fallBack(position, target);
        }
        placed = next.get();
      }
    }
  }

  /**
   * Where to ask next; empty is the origin. A node that is silent or left alone is not waited for:
   * only another owner in a newer view is asked instead of it.
   */
  private Optional<Ranking> afterFailure(
      EleyException e, Ranking placed, long position, Backoff pause, Patience patience)
      throws EleyException {
    if (client.pool(placed.nodeAt(position)).leftAlone()) {
      client.views().refreshSoon();
      return ranking(patience).filter(newer -> newer.epoch > placed.epoch);
    }
    if (e.remedy() == Remedy.FALL_BACK) {
      return Optional.empty();
    }
    client.counters().countRetry();
    pause.noteFailure();
    patience.pause(pause);
    client.refreshView(patience);
    return ranking(patience);
  }

  private int fromNode(long position, ByteBuffer target, Ranking placed, Patience patience)
      throws EleyException {
    Part part = part(position, target, placed);
    BlockId block = part.place.block();
    var node = new NodeAttempt(client.pool(placed.nodeOf(block.index())), patience);
    int count = client.blockReads().read(node, part.place, part.target);
    boolean scanned = part.place.offset() == 0 || position == lastEnd;
    lastEnd = position + count;
    if (scanned && lastEnd == placed.geometry.range(block).end()) {
      client.local().readToEnd(block);
    }
    target.position(target.position() + count);
    return count;
  }

  /** What lies in one block of what is wanted, and where it is to go. */
  private record Part(BlockReads.Place place, ByteBuffer target) {}

  private Part part(long position, ByteBuffer target, Ranking placed) {
    BlockGeometry geometry = placed.geometry;
    var block = new BlockId(version, geometry.blockIndex(position));
    ByteRange range = geometry.range(block);
    int length = (int) Math.min(target.remaining(), range.end() - position);
    int behind;
    synchronized (ahead) {
      behind = ahead.behind(position, target.remaining(), geometry);
    }
    int offset = (int) (position - range.offset());
    return new Part(
        new BlockReads.Place(block, geometry, offset, behind),
        target.slice(target.position(), length));
  }

  /**
   * An interrupted thread must not touch a channel, since that would close it for all others, too.
   */
  private void requireNotInterrupted() throws EleyException {
    if (Thread.currentThread().isInterrupted()) {
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: read " + version.path());
    }
  }

  /**
   * Asks for the next block when that is worth it. Never fails: the bytes of this read are in the
   * target already, and a retry of it would put them there a second time.
   *
   * @param count bytes that the read has brought, or will bring, of those that were wanted
   */
  private void lookAhead(long position, int wanted, int count, Ranking placed, Patience patience) {
    int next;
    synchronized (ahead) {
      next = ahead.noted(position, wanted, count, placed.geometry);
    }
    if (client.options().readAhead()
        && next >= 0
        && next < placed.geometry.blockCount(version.length())) {
      askAhead(next, placed, patience);
    }
  }

  private void askAhead(int next, Ranking placed, Patience patience) {
    var block = new BlockId(version, next);
    int whole = placed.geometry.blockSize();
    var first = new ReadBlock(block, whole, 0, 1, whole, ReadCause.READ_AHEAD, false);
    try {
      NodePool pool = client.pool(placed.nodeOf(next));
      if (pool.suspect() || pool.node().ofEngine()) {
        return;
      }
      // One byte is enough to make the node fetch the block. Nobody waits for the answer, so the
      // buffer is its own.
      Connection connection = patience.attempt(() -> pool.connection(patience));
      var unused = connection.readBlock(first, ByteBuffer.allocate(1));
    } catch (EleyException e) {
      // The next block's node is away. The read that needs the block will find another way.
      client.counters().countRetry();
    }
  }

  private int fallBack(long position, ByteBuffer target) throws EleyException {
    client.counters().countFallback();
    return fromOrigin(position, target, ReadCause.FALLBACK, Source.FALLBACK);
  }

  private int fromOrigin(long position, ByteBuffer target, ReadCause cause, Source source)
      throws EleyException {
    int count = origin.read(position, target, cause);
    client.counters().add(source, count);
    return count;
  }

  /**
   * The nodes ranked for this file under the newest view; empty when there is no view or it has no
   * nodes.
   */
  private Optional<Ranking> ranking(Patience patience) {
    Optional<MetadataMessage.View> view = client.view(patience);
    if (view.isEmpty() || view.get().view().nodes().isEmpty()) {
      view = client.refreshView(patience);
    }
    if (view.isEmpty() || view.get().view().nodes().isEmpty()) {
      return Optional.empty();
    }
    ClusterView current = view.get().view();
    Ranking known = ranking;
    if (known == null || known.epoch != current.epoch()) {
      known =
          new Ranking(current.epoch(), current.geometry(), Placement.rank(current, version.path()));
      ranking = known;
    }
    return Optional.of(known);
  }

  /** How the ranges of a call are read: those that are started, by one thread. */
  private final class Plain implements RangeReads.Plain {
    private final Patience patience = client.patience();
    private final LentConnections lent = new LentConnections(client.options().timeouts().silence());

    @Override
    public void readFully(long position, ByteBuffer target) throws EleyException {
      requireOpen();
      BbFile.this.readFully(position, target);
    }

    @Override
    public RangeReads.Started start(long position, ByteBuffer target) throws EleyException {
      requireOpen();
      StartedRead read = BbFile.this.start(position, target, patience, Optional.of(lent));
      return () -> {
        lent.leave(); // of all nodes: they serve at once
        return read.await();
      };
    }

    private void requireOpen() throws EleyException {
      if (closed) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "closed: " + version.path());
      }
    }

    @Override
    public void done() {
      lent.close();
    }
  }

  private record Ranking(long epoch, BlockGeometry geometry, List<NodeAddress> nodes) {
    NodeAddress nodeOf(int block) {
      return Placement.nodeOf(nodes, block).orElseThrow();
    }

    NodeAddress nodeAt(long position) {
      return nodeOf(geometry.blockIndex(position));
    }
  }
}
