package io.eley.bb.server.node;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.config.ByCores;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.server.fetch.BlockFetcher;
import io.eley.bb.server.net.FrameServer;
import io.eley.bb.server.net.FrameServerOptions;
import io.eley.bb.server.scratch.ScratchDirectories;
import io.eley.bb.server.scratch.ScratchRequests;
import io.eley.bb.server.scratch.ScratchShare;
import io.eley.bb.server.scratch.ScratchStore;
import io.eley.bb.server.scratch.TierRule;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.PrivateDirectory;
import io.eley.bb.server.store.StoreDirectory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A burst-buffer node: puts the parts together, starts them in order, stops them in reverse.
 *
 * <p>Order: lock the directory (the node's name is kept there) → check the room → listen (requests
 * get {@code UNAVAILABLE}) → join the coordinator → with its first view open store and fetcher,
 * serve clients, report the inventory.
 */
public final class NodeServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);

  /**
   * How long a reader waits for a permit that has lapsed. Together with {@link #LOOK} shorter than
   * clients bear silence: one that comes here with the last of its patience exceeds it by nothing.
   */
  private static final Duration UNHEARD = Duration.ofMillis(200);

  private static final Duration LOOK = Duration.ofMillis(100);

  /** Between two looks for the node's directory. */
  private static final Duration DIRECTORY_LOOK = Duration.ofSeconds(2);

  /** Beside the blocks, since intermediate data takes the same RAM; and in the overflow. */
  private static final String SCRATCH = "scratch";

  /**
   * A core that sends keeps another one busy that does what the kernel has to do for it. Fewer than
   * four leave small reads waiting for each other where the machine itself is idle.
   */
  private static final ByCores IO_THREADS = new ByCores(4, 32);

  /** They copy and delete; more of them would only hold more pieces in memory. */
  private static final ByCores SCRATCH_THREADS = new ByCores(2, 32);

  private final Deque<Runnable> started = new ArrayDeque<>();
  private final CompletableFuture<Void> forsaken = new CompletableFuture<>();
  private final NodeState state;

  private NodeServer(NodeOptions options, OriginOpener origins) throws EleyException {
    try {
      state = assemble(options, origins);
    } catch (EleyException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Opens the origin that a view names. */
  @FunctionalInterface
  interface OriginOpener {
    Origin open(String address) throws EleyException;
  }

  /**
   * Starts a node. Blocks until it has joined its coordinator and serves; when that is not there
   * yet, up to {@link NodeOptions.Coordinator#patience()}.
   *
   * @throws EleyException in one line for the operator: {@code UNAVAILABLE} when the directory or
   *     the port is taken or no coordinator is found, {@code NO_SPACE}, {@code UNAUTHENTICATED},
   *     {@code INCOMPATIBLE}, {@code NOT_FOUND} or {@code ACCESS_DENIED} of the origin; nothing is
   *     left running
   */
  public static NodeServer start(NodeOptions options) throws EleyException {
    String classes = options.fetching().originClasses();
    return start(options, address -> Origins.open(address, "node", classes));
  }

  /** The same with another way to the origin. */
  static NodeServer start(NodeOptions options, OriginOpener origins) throws EleyException {
    return new NodeServer(options, origins);
  }

  private NodeState assemble(NodeOptions options, OriginOpener origins) throws EleyException {
    startDeadlines();
    var fetching = options.fetching();
    var directory = StoreDirectory.open(options.directory(), options.name());
    started.push(directory::close);
    var scratch = scratchDirectories(options);
    directory.requireRoom(options.memoryBytes());
    MemoryLimit.ofThisProcess().require(options.memoryBytes());

    var served = new ServedBytes();
    var changes = new BlockChanges();
    var gate =
        new PermitGate(
            fetching.delayMax(),
            fetching.cappedBytesPerSecond(),
            fetching.threads().concurrency(),
            System::nanoTime);
    var requests =
        new BlockRequestHandler(
            fetching.readDeadline(),
            served,
            () -> gate.unheard(UNHEARD),
            new LeasedRoom(options.memoryBytes()));
    var credentials = credentials(options, directory);
    String host = ListeningHost.of(options);
    var server = listen(options, host, credentials, requests);

    var identity = identity(options, directory, new InetSocketAddress(host, server.port()));
    NodeStorage.Opener opener =
        view ->
            openStorage(
                new Storing(options, host, directory, scratch, gate, changes), origins, view);
    var node = new NodeState(identity, gate, requests, served, opener);
    // Below the server: sessions end, and give their pins back, before the store closes.
    started.pollFirst();
    started.push(node::close);
    started.push(server::close);

    var watch = watch(requests);
    started.push(watch::shutdownNow);

    var coordinator = options.coordinator();
    var link =
        new CoordinatorLink(
            node,
            new ConnectionDialer(coordinator.locator(), credentials),
            coordinator.silence(),
            changes);
    started.push(link::close);
    // Ends first: whoever ends the node in order may remove its directory while it takes its leave.
    started.push(lookFor(directory, options.directory(), watch));
    link.start();
    link.awaitRegistered(coordinator.patience());
    return node;
  }

  /**
   * The JDK has one thread for the deadlines of all futures, and starts it with the first one: now,
   * since later the system may give none, and whoever sets a deadline would fail.
   */
  private static void startDeadlines() {
    var unused = new CompletableFuture<Void>().orTimeout(0, TimeUnit.NANOSECONDS);
  }

  private static ScheduledExecutorService watch(BlockRequestHandler requests) {
    var watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var thread = new Thread(task, "eley-node-watch");
              thread.setDaemon(true);
              return thread;
            });
    var unused =
        watch.scheduleWithFixedDelay(
            requests::giveUpWaiting, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    return watch;
  }

  /** Looks for the directory from time to time, until what it returns is run. */
  private Runnable lookFor(StoreDirectory directory, Path path, ScheduledExecutorService watch) {
    long pause = DIRECTORY_LOOK.toMillis();
    var looks =
        watch.scheduleWithFixedDelay(
            () -> look(directory, path), pause, pause, TimeUnit.MILLISECONDS);
    return () -> looks.cancel(false);
  }

  /** Nothing could be written there ever again, and another node could take the place. */
  private void look(StoreDirectory directory, Path path) {
    if (!forsaken.isDone() && !directory.isStillThere()) {
      LOG.error(
          "the directory {} was removed under this node, which ends: systemd-logind does so with"
              + " RemoveIPC=yes when the last session of this user ends",
          path);
      forsaken.complete(null);
    }
  }

  private static Credentials credentials(NodeOptions options, StoreDirectory directory) {
    return new Credentials(
        options.coordinator().secret(),
        Identity.node(directory.nodeId()),
        options.listening().network().protection());
  }

  private FrameServer listen(
      NodeOptions options, String host, Credentials credentials, BlockRequestHandler requests)
      throws EleyException {
    var server =
        FrameServer.start(
            new FrameServerOptions(
                host,
                options.listening().port(),
                "eley-node",
                IO_THREADS.number(options.listening().ioThreads()),
                FrameServerOptions.Limits.of(options.listening().network())),
            credentials,
            requests);
    started.push(server::close);
    return server;
  }

  private static NodeState.Identity identity(
      NodeOptions options, StoreDirectory directory, InetSocketAddress listening) {
    return new NodeState.Identity(
        directory.nodeId(),
        new NodeOptions.Listening(
            listening.getAddress().getHostAddress(),
            listening.getPort(),
            options.listening().advertisedHost(),
            options.listening().network(),
            options.listening().ioThreads()),
        HostIdentity.machine(),
        options.memoryBytes());
  }

  /** What the store and the fetcher are opened with. */
  private record Storing(
      NodeOptions options,
      String host,
      StoreDirectory directory,
      ScratchDirectories scratch,
      PermitGate gate,
      BlockChanges changes) {}

  private static NodeStorage openStorage(Storing with, OriginOpener origins, View view)
      throws EleyException {
    var threads = with.options().fetching().threads();
    Origin origin = openOrigin(origins, view.originAddress(), threads.deadline());
    @Nullable BlockStore store = null;
    try {
      store =
          BlockStore.open(
              with.directory(),
              view.view().geometry(),
              with.options().memoryBytes(),
              with.changes());
      ScratchRequests scratch = openScratch(with, store);
      try {
        var fetcher = BlockFetcher.start(threads, origin, store, with.gate(), with.changes());
        return new NodeStorage(store, origin, fetcher, scratch);
      } catch (OutOfMemoryError e) {
        if (scratch != null) {
          scratch.close();
        }
        throw e;
      }
    } catch (EleyException | RuntimeException e) {
      closeAll(store, origin);
      throw e;
    } catch (OutOfMemoryError e) {
      closeAll(store, origin);
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot fetch: " + e.getMessage(), e);
    }
  }

  private static @Nullable ScratchRequests openScratch(Storing with, BlockStore store)
      throws EleyException {
    NodeOptions options = with.options();
    if (options.scratch().isEmpty()) {
      return null;
    }
    NodeOptions.Scratch scratch = options.scratch().get();
    var rule =
        new TierRule(
            new ScratchShare(options.memoryBytes(), scratch.share()),
            scratch.overflow().map(NodeOptions.Overflow::bytes).orElse(0L));
    var opened =
        ScratchStore.open(
            with.scratch(),
            store.nodeId().value(),
            with.host(),
            scratch.spark(),
            rule,
            new BlockStoreRoom(store));
    return new ScratchRequests(opened, SCRATCH_THREADS.number(options.listening().ioThreads()));
  }

  /** Locks the overflow, empties both tiers, and checks that the overflow has its room. */
  private ScratchDirectories scratchDirectories(NodeOptions options) throws EleyException {
    Path ram = options.directory().toAbsolutePath().normalize().resolve(SCRATCH);
    Optional<NodeOptions.Overflow> overflow =
        options.scratch().flatMap(NodeOptions.Scratch::overflow);
    if (overflow.isEmpty()) {
      var alone = new ScratchDirectories(ram, Optional.empty());
      ScratchStore.deleteLeft(alone);
      return alone;
    }
    var disk = PrivateDirectory.open(overflow.get().directory(), "overflow directory");
    started.push(disk::close);
    var both = new ScratchDirectories(ram, Optional.of(disk.path().resolve(SCRATCH)));
    ScratchStore.deleteLeft(both);
    disk.requireRoom(overflow.get().bytes(), 0);
    return both;
  }

  private static void closeAll(@Nullable BlockStore store, Origin origin) {
    if (store != null) {
      store.close();
    }
    origin.close();
  }

  /**
   * A mount whose server is frozen must not freeze the start, so opening it has a deadline and
   * fails with an error.
   */
  private static Origin openOrigin(OriginOpener origins, String address, Duration deadline)
      throws EleyException {
    try (var guard = new GuardedOrigin("eley-origin-open", 1, deadline)) {
      return guard.call("open the origin " + address, () -> origins.open(address));
    }
  }

  /** The address that it reports to the coordinator. */
  public NodeAddress address() {
    return state.address();
  }

  /** The counters that the node would report now. */
  public NodeCounters counters() {
    return state.counters();
  }

  /**
   * Completes within seconds when somebody has removed the node's directory while it ran: it can
   * keep nothing any more, and should end. What depends on this runs on a thread of the node, and
   * may block there.
   */
  public CompletionStage<Void> forsaken() {
    return forsaken;
  }

  /** Leaves the deployment; the blocks stay in the directory for the next start. */
  @Override
  public void close() {
    for (var stop = started.poll(); stop != null; stop = started.poll()) {
      stop.run();
    }
  }
}
