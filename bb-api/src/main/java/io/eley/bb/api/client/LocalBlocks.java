package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import io.eley.bb.api.origin.Descriptors;
import io.eley.bb.api.wire.BlockMessage;
import io.eley.bb.api.wire.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads complete blocks of nodes on this machine from their RAM-disk files. A block is leased from
 * its node (which then does not evict it), its file opened once and kept for the next reads, as
 * long as {@link KeptLeases} says. A node whose files cannot be opened (another user, another mount
 * namespace) is not tried again; one file that is gone was dropped by its node just now.
 *
 * <p>Safe for several threads: a channel's positioned reads need no lock, and a channel is closed
 * by the last of its users.
 */
final class LocalBlocks implements AutoCloseable {
  /** Of the descriptors that the process may have, leases take at most this part. */
  private static final int SHARE_OF_DESCRIPTORS = 4;

  /** After the answer that a block is not complete, no lease is asked for during this time. */
  private static final long NOT_YET_NANOS = 20_000_000;

  private final String machine;
  private final @Nullable EngineFiles engine;
  private final ClientOptions.Timeouts timeouts;
  private final Set<NodeId> unreadable = ConcurrentHashMap.newKeySet();
  private final Map<BlockId, Long> notYet = new ConcurrentHashMap<>();
  private final KeptLeases leases;

  /** Connections whose end is waited for. */
  private final Set<Connection> watched = ConcurrentHashMap.newKeySet();

  /** Without leases yet, and with no other engine's client. */
  LocalBlocks(ClientOptions.Local options, ClientOptions.Timeouts timeouts) {
    this(options, timeouts, System::nanoTime, null);
  }

  /** The same with another clock for how long a lease was not used. */
  LocalBlocks(ClientOptions.Local options, ClientOptions.Timeouts timeouts, LongSupplier clock) {
    this(options, timeouts, clock, null);
  }

  /**
   * Without leases yet.
   *
   * @param engine reads the blocks of nodes that have them in another engine; null when this client
   *     has none
   */
  LocalBlocks(
      ClientOptions.Local options,
      ClientOptions.Timeouts timeouts,
      LongSupplier clock,
      @Nullable EngineFiles engine) {
    this.engine = engine;
    this.machine = options.enabled() ? machineIdentity() : "";
    this.timeouts = timeouts;
    this.leases = new KeptLeases(affordable(options.leases(), Descriptors.most()), clock);
  }

  /**
   * How many of the leases that are wanted the process can afford: its connections, and Spark's own
   * files, need descriptors, too.
   */
  static int affordable(int wanted, long descriptors) {
    return (int) Math.max(1, Math.min(wanted, descriptors / SHARE_OF_DESCRIPTORS));
  }

  /** Identity of this operating system since its boot (random(4)), or empty where there is none. */
  private static String machineIdentity() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Reads from the block's file, if the node leases it.
   *
   * @param offset within the block
   * @return bytes read, or empty: then ask over the connection
   * @throws EleyException {@code INTERRUPTED}, or what an engine's client says; the lease is given
   *     back then
   */
  Optional<Integer> read(
      BlockId block, BlockGeometry geometry, int offset, ByteBuffer target, NodeAttempt at)
      throws EleyException {
    return read(block, geometry, at, file -> file.read(offset, target));
  }

  /**
   * As {@link #read}, but fills the target, and holds pages of which nothing was read under this
   * lease before against their checksums.
   *
   * @throws EleyException {@code DAMAGED}, or as {@link #read}; the lease is given back then
   */
  Optional<Integer> readVerified(
      BlockId block, BlockGeometry geometry, int offset, ByteBuffer target, NodeAttempt at)
      throws EleyException {
    return read(
        block,
        geometry,
        at,
        file ->
            file.hasChecksums()
                ? file.readVerified(geometry, offset, target)
                : file.read(offset, target));
  }

  /** Whether files of this node can be read, as far as is known; does not block. */
  boolean mayRead(NodeAddress node) {
    if (node.ofEngine()) {
      return engine != null;
    }
    return isOfThisMachine(node) && !unreadable.contains(node.id());
  }

  /** Whether a node runs under this operating system, if this client may use that. */
  boolean isOfThisMachine(NodeAddress node) {
    return !node.ofEngine() && !machine.isEmpty() && machine.equals(node.machine());
  }

  /** One way to read. */
  private interface Reading {
    int from(LeasedFile file) throws IOException;
  }

  private Optional<Integer> read(
      BlockId block, BlockGeometry geometry, NodeAttempt at, Reading reading) throws EleyException {
    if (!mayRead(at.pool().node())) {
      return Optional.empty();
    }
    Optional<LeasedFile> file = acquire(block, geometry, at);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      int count = reading.from(file.get());
      return count < 0 ? Optional.empty() : Optional.of(count);
    } catch (EleyException e) {
      leases.drop(block);
      throw e;
    } catch (IOException e) {
      leases.drop(block);
      requireNotInterrupted(block, e);
      return Optional.empty();
    } finally {
      file.get().release();
    }
  }

  /** An interrupted thread has closed what it read from, and is not to go on to a connection. */
  private static void requireNotInterrupted(BlockId block, IOException e) throws EleyException {
    if (Thread.currentThread().isInterrupted()) {
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: read block " + block, e);
    }
  }

  /**
   * Gives back the lease of a block whose last byte was read, since a scan does not return to it.
   */
  void readToEnd(BlockId block) {
    leases.drop(block);
  }

  /**
   * Gives back the leases of a file's blocks soon after a stream on the file was closed, unless
   * somebody reads it again. A lease keeps a block from being evicted, so one that nobody reads any
   * more would take the room of the next wave.
   */
  void release(FileVersion file) {
    leases.fileClosed(file);
  }

  /** Gives back the leases that nobody has used for a while; happens by itself about as often. */
  void dropIdle() {
    leases.dropIdle();
  }

  @Override
  public void close() {
    leases.close();
  }

  private Optional<LeasedFile> acquire(BlockId block, BlockGeometry geometry, NodeAttempt at)
      throws EleyException {
    Optional<LeasedFile> known = leases.use(block);
    if (known.isPresent() && known.get().isOfSize(geometry.blockSize())) {
      return known;
    }
    if (known.isPresent()) {
      leases.drop(block); // of a coordinator that cut files in another way
      known.get().release();
    }
    Long since = notYet.get(block);
    if (since != null && System.nanoTime() - since < NOT_YET_NANOS) {
      return Optional.empty();
    }
    return lease(block, geometry, at);
  }

  private Optional<LeasedFile> lease(BlockId block, BlockGeometry geometry, NodeAttempt at)
      throws EleyException {
    try {
      Connection connection = at.connection();
      Message answer = ask(at, connection, new BlockMessage.OpenLocal(block, geometry.blockSize()));
      if (!(answer instanceof BlockMessage.LocalBlock file)) {
        return Optional.empty();
      }
      return at.pool().node().ofEngine()
          ? openInEngine(block, geometry, connection, file)
          : open(block, geometry, at.pool(), connection, file);
    } catch (EleyException e) {
      if (e.code() == ErrorCode.INTERRUPTED) {
        throw e;
      }
      if (e.remedy() == Remedy.RETRY) {
        remember(block);
      }
      return Optional.empty();
    }
  }

  private Message ask(NodeAttempt at, Connection connection, Message question)
      throws EleyException {
    // An engine's node answers when the block is there, which a hold may delay.
    boolean loads = at.pool().node().ofEngine();
    LiveWait wait =
        at.wait(timeouts, loads ? timeouts.read() : timeouts.request(), new LiveWait.Signs() {});
    CompletableFuture<Message> lease = connection.request(question);
    try {
      Message answer = wait.done(connection, lease, "a lease");
      at.pool().noteAnswer();
      return answer;
    } catch (EleyException e) {
      LiveWait.ifLate(lease, late -> giveBack(connection, late));
      at.pool().noteOutcome(connection, e);
      throw e;
    }
  }

  /** A lease that nobody holds would keep its block from being evicted until the client ends. */
  private static void giveBack(Connection connection, Message late) {
    if (late instanceof BlockMessage.LocalBlock file) {
      LeasedFile.giveBack(connection, file.lease(), 0);
    }
  }

  private Optional<LeasedFile> open(
      BlockId block,
      BlockGeometry geometry,
      NodePool pool,
      Connection connection,
      BlockMessage.LocalBlock file) {
    Path path = Path.of(file.file());
    FileChannel channel;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    } catch (NoSuchFileException | AccessDeniedException e) {
      if (e instanceof NoSuchFileException && Files.isDirectory(path.resolveSibling(""))) {
        remember(block);
      } else {
        unreadable.add(pool.node().id());
      }
      LeasedFile.giveBack(connection, file.lease(), 0);
      return Optional.empty();
    } catch (IOException e) {
      remember(block); // for example out of descriptors: that passes, the sooner with fewer leases
      leases.dropHalf();
      LeasedFile.giveBack(connection, file.lease(), 0);
      return Optional.empty();
    }
    return Optional.of(kept(block, geometry, new LeasedFile.OfChannel(channel), connection, file));
  }

  private Optional<LeasedFile> openInEngine(
      BlockId block, BlockGeometry geometry, Connection connection, BlockMessage.LocalBlock leased)
      throws EleyException {
    try {
      EngineFiles.Opened opened = Objects.requireNonNull(engine).open(leased.file(), block);
      return Optional.of(kept(block, geometry, new OfEngine(opened), connection, leased));
    } catch (IOException e) {
      LeasedFile.giveBack(connection, leased.lease(), 0);
      requireNotInterrupted(block, e);
      remember(block);
      return Optional.empty();
    }
  }

  /** A block in an engine. */
  private record OfEngine(EngineFiles.Opened file) implements LeasedFile.Bytes {
    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private LeasedFile kept(
      BlockId block,
      BlockGeometry geometry,
      LeasedFile.Bytes bytes,
      Connection connection,
      BlockMessage.LocalBlock leased) {
    var opened = new LeasedFile(block, geometry.blockSize(), bytes, connection, leased);
    opened.retain();
    leases.keep(block, opened);
    watch(connection);
    return opened;
  }

  /**
   * A connection that ends takes its leases with it: their files may be evicted then, so they are
   * not kept. One action for all leases of a connection, which may be millions of small files.
   */
  private void watch(Connection connection) {
    if (watched.add(connection)) {
      connection.onClose(() -> dropAllOver(connection));
    }
  }

  private void dropAllOver(Connection ended) {
    // First of all, so that who leases a block meanwhile comes here by itself.
    watched.remove(ended);
    leases.dropFiles(file -> file.isOver(ended));
  }

  private void remember(BlockId block) {
    if (notYet.size() > 1024) {
      notYet.clear();
    }
    notYet.put(block, System.nanoTime());
  }
}
