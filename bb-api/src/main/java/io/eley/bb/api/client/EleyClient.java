package io.eley.bb.api.client;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.config.ByCores;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import io.eley.bb.api.wire.MetadataMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client of one deployment: opens files, answers metadata, and falls back to the origin whenever
 * the buffer cannot serve. One a JVM is enough; safe for several threads. Nothing connects before
 * it is needed.
 *
 * <p>With no deployment in its options it is a client of the origin alone: the same calls, the same
 * bytes, no buffer.
 */
public final class EleyClient implements AutoCloseable {
  private static final int ORIGIN_THREADS = 64;

  /** A connection has one thread that reads. */
  private static final ByCores CONNECTIONS = new ByCores(4, 16);

  private final ClientOptions options;
  private final @Nullable CoordinatorClient coordinator;
  private final String identity = UUID.randomUUID().toString();
  private final ClientCounters counters = new ClientCounters();
  private final Map<NodeId, NodePool> pools = new ConcurrentHashMap<>();
  private final ViewWatch views;
  private final NodeReads nodeReads;
  private final BlockReads blockReads = new BlockReads(this);
  private final FallbackGate fallbacks;
  private final FallbackGate direct;
  private final FallbackGate writes;
  private final LocalBlocks local;
  private final GuardedOrigin guard;
  private final NodeCredentials credentials;
  private final ThreadPoolExecutor vectors;
  private final OriginOpener origins;
  private volatile @Nullable Origin origin;
  private volatile boolean closed;

  private volatile ClientOptions.@Nullable KnownOrigin knownOrigin;
  private volatile @Nullable NamedOrigin named;

  /** Whether the origin of the options is the one at the address. */
  private record NamedOrigin(String address, boolean same) {}

  /** Opens origins for a client. */
  @FunctionalInterface
  public interface OriginOpener {
    /** As {@link Origins#open(String, String)}; on any thread that uses the client. */
    Origin open(String address, String client) throws EleyException;
  }

  private EleyClient(
      ClientOptions options,
      @Nullable CoordinatorClient coordinator,
      @Nullable EngineFiles engine,
      OriginOpener origins) {
    this.options = options;
    this.origins = origins;
    this.coordinator = coordinator;
    views = new ViewWatch(coordinator, options.timeouts()::patience, this::dropPoolsOutside);
    credentials = new NodeCredentials(this::readCredentials, System::nanoTime);
    nodeReads = new NodeReads(options.timeouts(), views::refreshSoon);
    fallbacks = newGate(ReadCause.FALLBACK);
    direct = newGate(ReadCause.DIRECT);
    writes = newGate(ReadCause.WRITE);
    local = new LocalBlocks(options.local(), options.timeouts(), System::nanoTime, engine);
    guard = new GuardedOrigin("eley-origin", ORIGIN_THREADS, options.timeouts().origin());
    vectors =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // some for each task that waits: a bound would have others wait, too
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              var thread = new Thread(task, "eley-vectored");
              thread.setDaemon(true);
              return thread;
            });
  }

  private FallbackGate newGate(ReadCause cause) {
    return new FallbackGate(moved -> askFallback(cause, moved), options.alone());
  }

  /**
   * Opens a client that reads the blocks of our own nodes only; see {@link #open(ClientOptions,
   * EngineFiles, OriginOpener)}.
   */
  public static EleyClient open(ClientOptions options) throws EleyException {
    return open(options, null, Origins::open);
  }

  /**
   * Opens a client.
   *
   * @param engine reads what is in another engine; without it (null) such blocks are read from the
   *     origin
   * @param origins opens the origin, when it is needed first
   * @throws EleyException {@code UNAVAILABLE} when the options name neither a deployment nor an
   *     origin; {@code UNAUTHENTICATED} when the secret cannot be read and no origin is named
   *     either
   */
  public static EleyClient open(
      ClientOptions options, @Nullable EngineFiles engine, OriginOpener origins)
      throws EleyException {
    if (options.deployment().isEmpty()) {
      if (options.originAddress().isEmpty()) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "neither a deployment nor an origin: set "
                + ClientKeys.DEPLOYMENT.name()
                + " (see `eley start`) or "
                + ClientKeys.ORIGIN.name());
      }
      return new EleyClient(options, null, engine, origins);
    }
    var client = new EleyClient(options, CoordinatorClient.open(options), engine, origins);
    try {
      var unused = client.credentials.get();
    } catch (EleyException e) {
      if (options.originAddress().isEmpty() && options.deployment().get().origin().isEmpty()) {
        client.close();
        throw e;
      }
      // It may be there soon. Until then this client reads the origin, as without a coordinator.
    }
    return client;
  }

  private Credentials readCredentials() throws EleyException {
    if (options.deployment().isEmpty()) {
      throw new EleyException(
          ErrorCode.UNAUTHENTICATED, "a client of the origin alone asks no node");
    }
    return options.deployment().get().credentials();
  }

  /**
   * Opens a file for positioned reads of the version that the origin has now.
   *
   * @throws EleyException {@code NOT_FOUND}, also when it is a directory; {@code ACCESS_DENIED}
   */
  public BbFile openFile(String path) throws EleyException {
    OriginPaths.requireNormalised(path); // before anybody is asked for anything
    Patience patience = patience();
    OriginStatus status = status(path, true, direct(patience), patience);
    if (status.directory()) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "no such file on the origin: " + path + " is a directory");
    }
    return new BbFile(this, status);
  }

  /** A file's or directory's attributes. */
  public OriginStatus stat(String path) throws EleyException {
    return status(path, false, false, patience());
  }

  /**
   * The same as the origin has them now, after the question. The coordinator asks it: whoever uses
   * a deployment need not reach the origin himself.
   */
  public OriginStatus statNow(String path) throws EleyException {
    return status(path, true, false, patience());
  }

  /** The children of a directory. */
  public List<OriginStatus> list(String path) throws EleyException {
    OriginPaths.requireNormalised(path);
    if (coordinator != null) {
      try {
        return coordinator.list(path);
      } catch (EleyException e) {
        requireFallback(e);
      }
    }
    return guard.call("list " + path, () -> origin().list(path));
  }

  /**
   * Notifies the coordinator that we changed this path, so that it drops what it has cached, and
   * waits until no other client answers with that; half a second at most for one that hangs. Never
   * fails.
   */
  public void forget(String path) {
    if (coordinator == null) {
      return;
    }
    // The path is changed, whatever its thread is interrupted for: others are told all the same.
    boolean interrupted = Thread.interrupted();
    try {
      coordinator.forget(path);
    } catch (EleyException e) {
      // An absent coordinator has forgotten everything; a present one is told before our next
      // question.
      counters.countRetry();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * The origin itself, for what passes through: writes, renames, deletions. Blocks on first use.
   */
  public Origin origin() throws EleyException {
    Origin current = origin;
    return current != null ? current : openOrigin();
  }

  /**
   * Blocks until this many bytes may be written to the {@link #origin}, as reads past the buffer
   * wait that tasks wait for; {@link #countWritten} is to follow.
   *
   * @throws EleyException {@code INTERRUPTED}
   */
  public void awaitWrite(int bytes) throws EleyException {
    Optional<FallbackGate> gate = gate(ReadCause.WRITE);
    if (gate.isPresent()) {
      gate.get().enter(bytes);
    }
  }

  /**
   * Counts bytes that have been written to the {@link #origin} until now; they are reported soon.
   *
   * @param begun when that began, by {@link System#nanoTime}
   */
  public void countWritten(int bytes, long begun) {
    gate(ReadCause.WRITE).ifPresent(gate -> gate.count(bytes, begun));
  }

  /** The origin's address, as the coordinator or the options say it. */
  public String originAddress() throws EleyException {
    Optional<MetadataMessage.View> known = view();
    String address =
        known
            .map(MetadataMessage.View::originAddress)
            .orElseGet(
                () ->
                    options.originAddress().isEmpty()
                        ? remembered().map(ClientOptions.KnownOrigin::address).orElse("")
                        : options.originAddress());
    if (address.isEmpty()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "the coordinator does not answer and "
              + ClientKeys.ORIGIN.name()
              + " is not set: the origin is unknown");
    }
    return address;
  }

  /** The origin's address as the options name it, or empty. Asks nobody. */
  public String namedOrigin() {
    return options.originAddress();
  }

  /**
   * Whether the {@link #namedOrigin}, a directory, is the origin by another name, as that of a link
   * is. Blocks for the origin's deadline at most, and for nothing once it was found out.
   *
   * @throws EleyException what the origin says when it is opened by that name; {@code UNAVAILABLE}
   *     when nobody says where the origin is
   */
  public boolean namesOrigin() throws EleyException {
    String address = originAddress();
    NamedOrigin known = named;
    if (known == null || !known.address.equals(address)) {
      String leadsTo = guard.call("open " + namedOrigin(), this::whereNamedLeads);
      known = new NamedOrigin(address, leadsTo.equals(address));
      named = known;
    }
    return known.same;
  }

  private String whereNamedLeads() throws EleyException {
    try (Origin found = origins.open(namedOrigin(), options.name())) {
      return found.address();
    }
  }

  /**
   * The newest view that is known; asks the coordinator when there is none yet. Empty without a
   * coordinator.
   */
  public Optional<MetadataMessage.View> view() {
    return view(patience());
  }

  /** The newest view that is known, without a question. */
  public Optional<MetadataMessage.View> knownView() {
    return views.known();
  }

  /**
   * Takes a view that another client of the deployment knows, unless this one knows one: as good as
   * one's own while the coordinator is away.
   */
  public void offerView(MetadataMessage.View told) {
    views.offer(told);
  }

  /** Those that are up, as far as is known. */
  List<NodeAddress> nodes() {
    return view().map(v -> v.view().nodes()).orElse(List.of());
  }

  Optional<MetadataMessage.View> view(Patience patience) {
    return views.latest(patience);
  }

  /** What one call may lose to peers that do not answer. */
  Patience patience() {
    return options.timeouts().patience();
  }

  /** Answers of nodes that came when their readers had given them up. */
  public long lateAnswers() {
    return pools.values().stream().mapToLong(NodePool::lateAnswers).sum();
  }

  public ClientCounters counters() {
    return counters;
  }

  /** The coordinator, unless this is a client of the origin alone. */
  public Optional<CoordinatorClient> coordinator() {
    return Optional.ofNullable(coordinator);
  }

  @Override
  public void close() {
    closed = true;
    fallbacks.close();
    direct.close();
    writes.close();
    views.close();
    local.close();
    pools.values().forEach(NodePool::close);
    pools.clear();
    if (coordinator != null) {
      coordinator.close();
    }
    vectors.shutdown();
    guard.close();
    Origin current = origin;
    if (current != null) {
      current.close();
    }
  }

  /** Asks the coordinator for the view; keeps the last one when it does not answer. */
  Optional<MetadataMessage.View> refreshView(Patience patience) {
    return views.refresh(patience);
  }

  private FallbackLane askFallback(ReadCause cause, PastBytes.Report moved) throws EleyException {
    if (coordinator == null) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "a client of the origin alone");
    }
    return coordinator.fallback(
        new AskFallback(identity, cause, moved.bytes(), moved.answered(), moved.at(), moved.age()));
  }

  /**
   * What reads past the buffer pass for this cause. A client of the origin alone, with no
   * deployment at all, has nobody to ask and nothing to account to: it passes none.
   */
  Optional<FallbackGate> gate(ReadCause cause) {
    if (options.deployment().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (cause) {
          case WRITE -> writes;
          case DIRECT -> direct;
          default -> fallbacks;
        });
  }

  ViewWatch views() {
    return views;
  }

  NodeReads nodeReads() {
    return nodeReads;
  }

  BlockReads blockReads() {
    return blockReads;
  }

  /** Whether reads go to the origin on purpose: NaiveBB, or no deployment. */
  boolean direct(Patience patience) {
    if (coordinator == null) {
      return true;
    }
    return view(patience)
        .map(v -> v.view().mode())
        .or(() -> remembered().map(ClientOptions.KnownOrigin::mode))
        .filter(mode -> mode == BufferMode.NAIVE_BB)
        .isPresent();
  }

  /** What the deployment's directory says about the origin; read once. */
  private Optional<ClientOptions.KnownOrigin> remembered() {
    ClientOptions.KnownOrigin known = knownOrigin;
    if (known == null) {
      known = options.deployment().flatMap(ClientOptions.Deployment::origin).orElse(null);
      knownOrigin = known;
    }
    return Optional.ofNullable(known);
  }

  NodePool pool(NodeAddress node) throws EleyException {
    var unused = credentials.get(); // without which there is no use in a pool
    NodePool found = pools.compute(node.id(), (id, pool) -> current(pool, node));
    if (closed) { // perhaps after it had ended all that were there
      found.close();
      throw new EleyException(ErrorCode.UNAVAILABLE, "the client is closed");
    }
    return found;
  }

  private NodePool current(@Nullable NodePool pool, NodeAddress node) {
    if (pool != null && pool.node().equals(node)) {
      return pool;
    }
    if (pool != null) {
      pool.close();
    }
    return new NodePool(
        node,
        credentials,
        CONNECTIONS.number(options.connections()),
        options.timeouts().connect(),
        options.timeouts().stall());
  }

  /** Whether a node has failed and not answered since, as far as is known. */
  boolean suspects(NodeAddress node) {
    NodePool known = pools.get(node.id());
    return known != null && known.suspect();
  }

  /** Whether a node that has failed is not to be tried now. */
  boolean leavesAlone(NodeAddress node) {
    NodePool known = pools.get(node.id());
    return known != null && known.leftAlone();
  }

  ClientOptions options() {
    return options;
  }

  LocalBlocks local() {
    return local;
  }

  GuardedOrigin guard() {
    return guard;
  }

  /** Runs a part of a vectored read; here and now while the system gives no further thread. */
  void runPart(Runnable part) {
    try {
      vectors.execute(part);
    } catch (OutOfMemoryError e) {
      part.run();
    }
  }

  /**
   * @param now whether the origin must be asked after this question
   * @param past whether it is asked from here, past the coordinator
   */
  private OriginStatus status(String path, boolean now, boolean past, Patience patience)
      throws EleyException {
    OriginPaths.requireNormalised(path);
    if (coordinator != null && !past) {
      try {
        return coordinator.stat(path, now, patience);
      } catch (EleyException e) {
        requireFallback(e);
      }
    }
    return guard.call("stat " + path, () -> origin().stat(path));
  }

  /**
   * Returns when the origin may serve what failed here with this error; throws the error otherwise.
   */
  private static void requireFallback(EleyException e) throws EleyException {
    if (e.remedy() == Remedy.FAIL) {
      throw e;
    }
  }

  private synchronized Origin openOrigin() throws EleyException {
    Origin current = origin;
    if (current == null) {
      current = origins.open(originAddress(), options.name());
      origin = current;
    }
    return current;
  }

  private void dropPoolsOutside(ClusterView current) {
    pools
        .values()
        .removeIf(
            pool -> {
              boolean gone = !current.nodes().contains(pool.node());
              if (gone) {
                pool.close();
              }
              return gone;
            });
  }
}
