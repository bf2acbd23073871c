package io.eley.bb.server.node;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockDamaged;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.server.net.ReceivedBytes;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.net.SessionHandler;
import io.eley.bb.server.scratch.ScratchRequests;
import io.eley.bb.server.store.StoredBlock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients. Runs on the event loops and never blocks: what is not there is waited for by
 * {@link BlockResponder}. Until {@link #serve} every request is answered {@code UNAVAILABLE}.
 *
 * <p>A block that is here is served whoever owns it: it is the right version by its name, and
 * sending the client to an owner who lacks it would cost an origin read. Only a block that would
 * have to be fetched is refused with {@code NOT_OWNER}.
 */
final class BlockRequestHandler implements SessionHandler {
  /** The checksums of more pages than this do not fit into a message. */
  private static final int MOST_PAGES = 64 << 10;

  private final Duration readDeadline;
  private final ServedBytes served;
  private final BooleanSupplier unheard;
  private final LeasedRoom leasedRoom;
  private final Set<ClientState> clients = ConcurrentHashMap.newKeySet();
  private volatile @Nullable BlockSource source;
  private volatile @Nullable ScratchRequests scratch;
  private volatile @Nullable Ownership ownership;

  /**
   * A handler that serves nothing until {@link #serve}.
   *
   * @param readDeadline how long a chunk may take to arrive
   * @param unheard whether nobody says what may be read; see {@link #giveUpWaiting}
   * @param leasedRoom what clients may read directly
   */
  BlockRequestHandler(
      Duration readDeadline, ServedBytes served, BooleanSupplier unheard, LeasedRoom leasedRoom) {
    this.readDeadline = readDeadline;
    this.served = served;
    this.unheard = unheard;
    this.leasedRoom = leasedRoom;
  }

  /**
   * Sends readers on to the origin when the coordinator is away: a client may ask it over another
   * way, or knows a cap of its own, while this node must not read without a permit. Called several
   * times a second, on any thread; does not block.
   */
  void giveUpWaiting() {
    if (unheard.getAsBoolean()) {
      clients.forEach(client -> client.giveUpWaiting(withoutPermit()));
    }
  }

  private static EleyException withoutPermit() {
    return new EleyException(
        ErrorCode.DEADLINE, "this node has no permit: it does not hear its coordinator");
  }

  /** Serves blocks from this source from now on. */
  void serve(BlockSource blocks) {
    source = blocks;
  }

  /** Takes intermediate data from now on. */
  void serveScratch(ScratchRequests requests) {
    scratch = requests;
  }

  /** Sets which blocks are this node's and are therefore fetched on demand. */
  void setOwnership(Ownership current) {
    ownership = current;
  }

  @Override
  public void opened(Session session) {
    var state = new ClientState(leasedRoom);
    clients.add(state);
    session.attach(state);
  }

  @Override
  public void received(Session session, long correlation, Message message) {
    try {
      if (message instanceof PingMessage) {
        session.reply(correlation, new Ok());
      } else if (message instanceof ReadBlock read) {
        read(session, correlation, read);
      } else if (message instanceof OpenLocal open) {
        session.reply(correlation, openLocal(state(session), open));
      } else if (message instanceof BlockDamaged damaged) {
        open().verifyAgain(damaged.block());
        session.reply(correlation, new Ok());
      } else if (message instanceof ReleaseLocal release) {
        releaseLocal(session, correlation, release);
      } else if (message instanceof ScratchMessage m) {
        openScratch().received(session, state(session).outputs(), correlation, m);
      } else {
        throw new EleyException(ErrorCode.MALFORMED, "a node has no answer to " + message.type());
      }
    } catch (EleyException e) {
      session.reply(correlation, Failure.of(e));
    }
  }

  @Override
  public void received(Session session, long correlation, Message message, ReceivedBytes bytes) {
    try {
      if (message instanceof WriteScratch piece) {
        openScratch().received(session, state(session).outputs(), correlation, piece, bytes);
      } else {
        SessionHandler.super.received(session, correlation, message, bytes);
      }
    } catch (EleyException e) {
      bytes.close();
      session.reply(correlation, Failure.of(e));
    }
  }

  @Override
  public void closed(Session session) {
    ClientState state = state(session);
    clients.remove(state);
    state.end();
    ScratchRequests open = scratch;
    if (open != null) {
      open.closed(state.outputs());
    }
  }

  private void read(Session session, long correlation, ReadBlock read) throws EleyException {
    BlockSource blocks = open();
    ClientState state = state(session);
    if (state.busy()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "more than " + ClientState.MAX_REPLIES + " reads of one connection are under way");
    }
    requireSize(read.blockSize(), blocks.geometry());
    requireRange(blocks, read);
    var terms = new BlockResponder.Terms(blocks.geometry().chunkSize(), readDeadline, served);
    state.begin(new BlockResponder(session, correlation, read, find(blocks, read), terms));
  }

  private StoredBlock find(BlockSource blocks, ReadBlock read) throws EleyException {
    Optional<StoredBlock> here = blocks.acquire(read.block());
    if (here.isPresent() && here.get().complete()) {
      return here.get();
    }
    // Also for a block that is arriving: its fetch must know that a reader waits now, and at which
    // offset.
    try {
      requireOwned(read.block(), here.isPresent());
      boolean arrived = here.isPresent() && here.get().arrived(read.offset(), read.length());
      if (!arrived && unheard.getAsBoolean()) {
        throw withoutPermit();
      }
      return blocks.demand(read.block(), read.offset(), read.length(), read.ahead(), read.cause());
    } finally {
      here.ifPresent(StoredBlock::close);
    }
  }

  private void requireOwned(BlockId block, boolean arriving) throws EleyException {
    Ownership current = ownership;
    if (arriving || (current != null && current.owns(block))) {
      return;
    }
    throw new EleyException(
        ErrorCode.NOT_OWNER,
        "this node does not own "
            + block
            + " in the view of epoch "
            + (current == null ? 0 : current.view().epoch()));
  }

  /**
   * A coordinator that was started again may cut files in another way: the index that a client has
   * by one view means other bytes in a node that has blocks by another.
   */
  static void requireSize(int blockSize, BlockGeometry geometry) throws EleyException {
    if (blockSize != geometry.blockSize()) {
      throw new EleyException(
          ErrorCode.NOT_OWNER,
          "blocks of " + geometry.blockSize() + " bytes are here, none of " + blockSize);
    }
  }

  private static void requireRange(BlockSource blocks, ReadBlock read) throws EleyException {
    if (read.cause() != ReadCause.DEMAND && read.cause() != ReadCause.READ_AHEAD) {
      throw malformed("a client does not read with the cause " + read.cause());
    }
    int length = blockLength(blocks, read.block());
    int end = read.offset() + read.length();
    if (end > length) {
      throw malformed("the range ends at " + end + ", the block at " + length);
    }
    int page = blocks.geometry().pageSize();
    if (read.verify() && (read.offset() % page != 0 || (end % page != 0 && end != length))) {
      throw malformed("a range to verify must consist of whole pages of " + page + " bytes");
    }
  }

  private static int blockLength(BlockSource blocks, BlockId block) throws EleyException {
    try {
      return blocks.geometry().length(block);
    } catch (IllegalArgumentException e) {
      throw malformed("block past the end of its file: " + block);
    }
  }

  private Message openLocal(ClientState state, OpenLocal question) throws EleyException {
    BlockSource blocks = open();
    BlockId id = question.block();
    requireSize(question.blockSize(), blocks.geometry());
    blockLength(blocks, id);
    StoredBlock block =
        blocks.acquire(id).orElseThrow(() -> unavailable("not in the buffer: " + id));
    boolean leased = false;
    try {
      boolean sumsFit = blocks.geometry().pageCount(block.length()) <= MOST_PAGES;
      OptionalLong lease =
          block.complete() && sumsFit ? state.leases().add(block) : OptionalLong.empty();
      if (lease.isEmpty()) {
        throw unavailable("not to be read directly now: " + id);
      }
      leased = true;
      var local = block.file().toAbsolutePath().toString();
      return new LocalBlock(local, lease.getAsLong(), block.checksums(0, block.length()));
    } finally {
      if (!leased) {
        block.close();
      }
    }
  }

  private void releaseLocal(Session session, long correlation, ReleaseLocal release) {
    boolean known = state(session).leases().release(release.lease());
    if (known && release.bytesRead() > 0) {
      served.count(release.bytesRead(), true);
    }
    if (correlation != FrameHeader.PUSH) {
      session.reply(correlation, new Ok());
    }
  }

  private BlockSource open() throws EleyException {
    BlockSource blocks = source;
    if (blocks == null) {
      throw unavailable("the node is starting");
    }
    return blocks;
  }

  private ScratchRequests openScratch() throws EleyException {
    ScratchRequests open = scratch;
    if (open == null) {
      throw unavailable("this node takes no intermediate data: " + NodeKeys.SPARK_HOME.name());
    }
    return open;
  }

  private static ClientState state(Session session) {
    return (ClientState) Objects.requireNonNull(session.attachment());
  }

  private static EleyException malformed(String what) {
    return new EleyException(ErrorCode.MALFORMED, what);
  }

  private static EleyException unavailable(String what) {
    return new EleyException(ErrorCode.UNAVAILABLE, what);
  }
}
