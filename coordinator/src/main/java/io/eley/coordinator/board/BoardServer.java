package io.eley.coordinator.board;

import io.eley.bb.api.config.ListenHost;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.net.FrameServer;
import io.eley.bb.server.net.FrameServerOptions;
import io.eley.bb.server.net.IoThreads;
import io.eley.controller.board.BoardLoop;
import io.eley.controller.loop.ControlLoop;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.neighbours.FileSystemName;
import io.eley.coordinator.phases.PublishedRates;
import io.eley.coordinator.phases.Signals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running board. Puts the parts together as a coordinator's server does, without a deployment:
 * sources, loop, keys, network. Safe for several threads.
 */
public final class BoardServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BoardServer.class);
  private static final Duration SWEEP = Duration.ofHours(1);

  /** Stopped in the reverse order of their start. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private final InetSocketAddress address;

  private BoardServer(BoardOptions options) throws EleyException {
    try {
      address = open(options);
    } catch (EleyException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts a board: claims its directory, starts its sources, listens, and then writes its address
   * there. Blocks until it serves.
   *
   * @throws EleyException in one line for the operator
   */
  public static BoardServer start(BoardOptions options) throws EleyException {
    return new BoardServer(options);
  }

  private InetSocketAddress open(BoardOptions options) throws EleyException {
    String fileSystem = fileSystem(options.origin());
    var files = new BoardFiles(options.directory());
    var directory = BoardDirectory.claim(files);
    parts.push(directory);
    var thread = IoThreads.of("eley-board", 1);
    parts.push(thread);
    var agent = new Agent(thread.one(), System::nanoTime, Instant::now);
    parts.push(agent);
    var loop = new BoardLoop(options.watch(), agent, options.showsAll(), new BoardLog());
    var tokens = new TokenRing(files);
    parts.push(tokens);
    InetAddress listening = listening(options.listen().host());
    // Nobody knows the board's own secret: every client has a key.
    var own = new Credentials(Secret.random(), Identity.BOARD, options.network().protection());
    var server =
        FrameServer.start(
            new FrameServerOptions(
                    listening.getHostAddress(), options.listen().port(), "eley-board")
                .withLimits(FrameServerOptions.Limits.of(options.network())),
            thread,
            new FrameServer.Keys(own, tokens),
            new BoardHandler(agent, loop, tokens, fileSystem));
    parts.push(server);
    agent.every(ControlLoop.TICK, loop::tick);
    parts.push(
        Signals.start(
            options.signals(), options.origin().toString(), agent, loop, new PublishedRates()));
    tokens.sweep();
    agent.every(SWEEP, tokens::sweep);
    directory.publish(listening.getHostAddress() + ":" + server.port());
    LOG.info(
        "the board listens on {}:{} and watches {}",
        listening.getHostAddress(),
        server.port(),
        fileSystem);
    return new InetSocketAddress(listening, server.port());
  }

  private static String fileSystem(Path origin) throws EleyException {
    try {
      if (Files.isDirectory(origin)) {
        return FileSystemName.of(origin.toString());
      }
    } catch (IOException e) {
      LOG.debug("cannot look at {}", origin, e);
    }
    throw new EleyException(
        ErrorCode.NOT_FOUND, "the origin " + origin + " does not exist; is it mounted?");
  }

  private static InetAddress listening(String host) throws EleyException {
    var interfaces = ListenHost.ofThisMachine();
    if (!host.isBlank()) {
      return interfaces.resolve("--host", host);
    }
    try {
      return interfaces.byName(InetAddress.getLocalHost());
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress();
    }
  }

  /** The address at which deployments reach it. */
  public InetSocketAddress address() {
    return address;
  }

  /** Stops serving and takes the address away. Blocks for a few seconds at most. */
  @Override
  public void close() {
    for (AutoCloseable part = next(); part != null; part = next()) {
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("while stopping: {}", e.getMessage());
      }
    }
  }

  private synchronized @org.jspecify.annotations.Nullable AutoCloseable next() {
    return parts.poll();
  }
}
