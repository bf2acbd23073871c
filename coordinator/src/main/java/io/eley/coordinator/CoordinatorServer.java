package io.eley.coordinator;

import io.eley.bb.api.ClusterView;
import io.eley.bb.api.config.ListenHost;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.server.net.FrameServer;
import io.eley.bb.server.net.FrameServerOptions;
import io.eley.bb.server.net.IoThreads;
import io.eley.controller.loop.ControlLoop;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.board.BoardFiles;
import io.eley.coordinator.board.BoardSampler;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.drivers.KnownApplications;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.coordinator.ledger.LedgerWriter;
import io.eley.coordinator.live.LiveFeed;
import io.eley.coordinator.live.LiveHttp;
import io.eley.coordinator.live.RenderedPage;
import io.eley.coordinator.members.Members;
import io.eley.coordinator.metadata.MetadataCache;
import io.eley.coordinator.metadata.MetadataRequests;
import io.eley.coordinator.metadata.StatusLeases;
import io.eley.coordinator.neighbours.Neighbours;
import io.eley.coordinator.phases.ControlLog;
import io.eley.coordinator.phases.HttpAnnouncements;
import io.eley.coordinator.phases.HttpIdentity;
import io.eley.coordinator.phases.HttpToken;
import io.eley.coordinator.phases.Signals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running coordinator. Puts the parts together: directory, origin, agent, metadata cache,
 * network. Safe for several threads.
 */
public final class CoordinatorServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorServer.class);

  /** A part that is stopped in the reverse order of its start. */
  private interface Part {
    void close() throws EleyException;
  }

  private final Deque<Part> parts = new ArrayDeque<>();
  private final InetSocketAddress address;

  private CoordinatorServer(CoordinatorOptions options) throws EleyException {
    try {
      address = open(options);
    } catch (EleyException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts a coordinator: claims the directory, opens the origin, listens, and then writes its
   * address there. Blocks until it serves.
   *
   * @throws EleyException in one line for the operator: another coordinator on the directory, an
   *     unusable origin or directory, a port in use
   */
  public static CoordinatorServer start(CoordinatorOptions options) throws EleyException {
    return new CoordinatorServer(options);
  }

  private InetSocketAddress open(CoordinatorOptions options) throws EleyException {
    var directory = DeploymentDirectory.claim(options.directory());
    parts.push(directory::close);
    var secret = directory.secret();
    Origin origin =
        Origins.open(options.origin(), "coordinator", options.metadata().originClasses());
    parts.push(origin::close);
    var thread = IoThreads.of("eley-coordinator", 1);
    parts.push(thread::close);
    var agent = new Agent(thread.one(), System::nanoTime, Instant::now);
    parts.push(agent::close);
    long epoch = directory.firstEpoch(System.currentTimeMillis());
    var first = new ClusterView(epoch, options.geometry(), options.mode(), List.of());
    var members = new Members(first, origin.address());
    var metadata = new MetadataCache(origin, options.metadata(), agent::now);
    parts.push(metadata::close);
    var ledger = new LedgerWriter(new LedgerFile(options.directory()));
    parts.push(ledger::close);
    var coordinator =
        new Coordinator(
            options,
            agent,
            members,
            metadata,
            new Coordinator.Ledger(ledger.past(), new ControlLog(ledger)));
    var applications = new KnownApplications(directory.applications());
    parts.push(applications::close);
    List<String> earlier = applications.earlier();
    agent.execute(() -> coordinator.takeOver(earlier, applications::keep));
    metadata.setListener(file -> agent.execute(() -> coordinator.fileChanged(file.version())));
    InetAddress listening = listening(options);
    String own = listening.getHostAddress();
    var leases = new StatusLeases(options.metadata().timeToLive(), agent::now);
    var server =
        FrameServer.start(
            new FrameServerOptions(own, options.port(), "eley-coordinator")
                .withLimits(FrameServerOptions.Limits.of(options.network())),
            thread,
            new Credentials(secret, Identity.COORDINATOR, options.network().protection()),
            new CoordinatorHandler(
                agent, coordinator, members, new MetadataRequests(metadata, leases)));
    parts.push(server::close);
    agent.every(ControlLoop.TICK, coordinator::tick);
    var signals =
        Signals.start(
            options.signals(), options.origin(), agent, coordinator.control(), coordinator.rates());
    parts.push(signals::close);
    String board = options.signals().board();
    if (!board.isBlank()) {
      signals.poll(
          new BoardSampler(
              new BoardFiles(Path.of(board)),
              origin.address(),
              options.network().protection(),
              new BoardSampler.Deployment(
                  agent,
                  coordinator.control(),
                  options.control().watch().thresholds().openBytesPerSecond())),
          BoardSampler.TIMING);
    }
    String others = options.signals().neighbours();
    if (!others.isBlank()) {
      var neighbours =
          Neighbours.start(Path.of(others), origin.address(), agent, coordinator.control());
      parts.push(neighbours::close);
    }
    String host = advertised(options, listening);
    if (options.http().enabled()) {
      var feed = new LiveFeed(agent, () -> coordinator.live().document());
      startHttp(options.http(), new Http(listening, host, directory, coordinator, feed));
    }
    directory.publishOrigin(origin.address(), options.mode());
    directory.publish(host + ":" + server.port());
    LOG.info(
        "coordinator listens on {}:{}, mode {}, origin {}",
        host,
        server.port(),
        options.mode().label(),
        origin.address());
    return new InetSocketAddress(host, server.port());
  }

  /**
   * Without a key there is no HTTP but on this host: job scripts elsewhere have {@code eley phase},
   * and a token that others can read would let them hold everybody's prefetching.
   */
  private void startHttp(CoordinatorOptions.Http options, Http with) throws EleyException {
    Optional<HttpIdentity> identity = Optional.empty();
    boolean loopback = with.listening.isLoopbackAddress();
    if (!loopback) {
      try {
        identity = Optional.of(HttpIdentity.create(with.directory.path(), with.host));
      } catch (IOException e) {
        LOG.warn(
            "phases cannot be announced by HTTP, and there is no live page, for lack of TLS: {}",
            e.getMessage());
        return;
      }
    }
    if (options.openMetrics() && !loopback) {
      LOG.warn("{} counts on loopback alone", CoordinatorKeys.HTTP_OPEN_METRICS.name());
    }
    var token = new HttpToken();
    var liveToken = new HttpToken();
    var live =
        new LiveHttp(with.feed, liveToken, new RenderedPage(), options.openMetrics() && loopback);
    var http =
        HttpAnnouncements.start(
            new InetSocketAddress(with.listening, options.port()),
            identity,
            token,
            with.coordinator.announcements(),
            live);
    parts.push(http::close);
    String scheme = identity.isPresent() ? "https" : "http";
    String url = scheme + "://" + bracketed(with.host) + ":" + http.port();
    with.directory.publishHttp(url, token, identity);
    with.directory.publishLive(url + "/live?token=" + liveToken.text());
  }

  /** What is served by HTTP, and where. */
  private record Http(
      InetAddress listening,
      String host,
      DeploymentDirectory directory,
      Coordinator coordinator,
      LiveFeed feed) {}

  /** As a URL has it. */
  private static String bracketed(String host) {
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  private static InetAddress listening(CoordinatorOptions options) throws EleyException {
    var interfaces = ListenHost.ofThisMachine();
    if (!options.host().isBlank()) {
      return interfaces.resolve(CoordinatorKeys.LISTEN_HOST.name(), options.host());
    }
    InetAddress chosen = interfaces.byName(ownName());
    if (chosen.isLoopbackAddress()) {
      LOG.warn(
          "this machine's name has no address but {}: only processes of this machine reach the"
              + " coordinator; set {}",
          chosen.getHostAddress(),
          CoordinatorKeys.LISTEN_HOST.name());
    }
    return chosen;
  }

  private static InetAddress ownName() {
    try {
      return InetAddress.getLocalHost();
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress();
    }
  }

  private static String advertised(CoordinatorOptions options, InetAddress listening) {
    if (!options.advertisedHost().isBlank()) {
      return options.advertisedHost();
    }
    return listening.isAnyLocalAddress() ? ownName().getHostName() : listening.getHostAddress();
  }

  /** The address at which others reach it. */
  public InetSocketAddress address() {
    return address;
  }

  /**
   * Stops serving and takes the address file away; nothing the coordinator knows outlives it.
   * Blocks for a few seconds at most; closing again does nothing.
   */
  @Override
  public void close() {
    Part part;
    synchronized (parts) {
      part = parts.poll();
    }
    while (part != null) {
      stop(part);
      synchronized (parts) {
        part = parts.poll();
      }
    }
  }

  private static void stop(Part part) {
    try {
      part.close();
    } catch (EleyException | RuntimeException e) {
      LOG.warn("while stopping: {}", e.getMessage());
    }
  }
}
