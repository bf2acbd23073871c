package io.eley.bb.server.node;

import io.eley.bb.api.config.ByCores;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.server.engine.BlockEngine;
import io.eley.bb.server.engine.EngineLoader;
import io.eley.bb.server.net.FrameServer;
import io.eley.bb.server.net.FrameServerOptions;
import io.eley.bb.server.store.StoreDirectory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A node whose blocks are in another engine. To the coordinator it is a node as any other: it
 * registers, obeys permits and orders, reports what has arrived and left. Clients ask it for leases
 * and read the bytes with the engine's own client. See {@link NodeServer} for the order of things.
 */
public final class EngineNode implements AutoCloseable {
  private static final Duration UNHEARD = Duration.ofMillis(200);
  private static final long LOOK_MILLIS = 100;
  private static final ByCores IO_THREADS = new ByCores(4, 32);

  private final Deque<Runnable> started = new ArrayDeque<>();

  private EngineNode() {}

  /**
   * Starts a node. Blocks until it has joined its coordinator and its engine is open.
   *
   * @param options those of a node of ours; its directory holds its name only
   * @param engine is closed with the node, also when the start fails
   * @throws EleyException in one line for the operator; nothing is left running
   */
  public static EngineNode start(NodeOptions options, BlockEngine engine) throws EleyException {
    var node = new EngineNode();
    node.started.push(engine::close);
    try {
      node.assemble(options, engine);
      return node;
    } catch (EleyException | RuntimeException e) {
      node.close();
      throw e;
    }
  }

  private void assemble(NodeOptions options, BlockEngine engine) throws EleyException {
    var directory = StoreDirectory.open(options.directory(), options.name());
    started.push(directory::close);
    var fetching = options.fetching();
    var gate =
        new PermitGate(
            fetching.delayMax(),
            fetching.cappedBytesPerSecond(),
            fetching.threads().concurrency(),
            System::nanoTime);
    var served = new ServedBytes();
    var changes = new BlockChanges();
    var requests = new EngineRequests(engine, served);
    var credentials =
        new Credentials(
            options.coordinator().secret(),
            Identity.node(directory.nodeId()),
            options.listening().network().protection());
    String host = ListeningHost.of(options);
    FrameServer server = listen(options, host, credentials, requests);
    var state =
        new EngineState(
            directory.nodeId(),
            listening(options, host, server.port()),
            Math.min(options.memoryBytes(), engine.capacityBytes()),
            gate,
            requests,
            served,
            view -> open(view, engine, options, gate, changes));
    // Sessions end, and give their leases back, before the engine is closed.
    started.push(state::close);
    started.push(server::close);
    watch(state, gate, fetching.readDeadline());
    join(options, state, credentials, changes);
  }

  private static FrameServer listen(
      NodeOptions options, String host, Credentials credentials, EngineRequests requests)
      throws EleyException {
    return FrameServer.start(
        new FrameServerOptions(
            host,
            options.listening().port(),
            "eley-engine-node",
            IO_THREADS.number(options.listening().ioThreads()),
            FrameServerOptions.Limits.of(options.listening().network())),
        credentials,
        requests);
  }

  private static NodeOptions.Listening listening(NodeOptions options, String host, int port) {
    var given = options.listening();
    return new NodeOptions.Listening(
        host, port, given.advertisedHost(), given.network(), given.ioThreads());
  }

  private static EngineLoader open(
      View view, BlockEngine engine, NodeOptions options, PermitGate gate, BlockChanges changes)
      throws EleyException {
    engine.open(view.view().geometry(), view.originAddress());
    return EngineLoader.start(
        engine,
        view.view().geometry(),
        gate,
        options.fetching().threads(),
        new EngineLoader.Reports(changes, changes));
  }

  /** Sends readers on to the origin whom a permit that lapsed, or a hold, has kept for too long. */
  private void watch(EngineState state, PermitGate gate, Duration readDeadline) {
    var watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var thread = new Thread(task, "eley-engine-watch");
              thread.setDaemon(true);
              return thread;
            });
    started.push(watch::shutdownNow);
    var late = new EleyException(ErrorCode.DEADLINE, "the block has not come in time");
    var unheard =
        new EleyException(
            ErrorCode.DEADLINE, "this node has no permit: it does not hear its coordinator");
    var unused =
        watch.scheduleWithFixedDelay(
            () -> {
              boolean deaf = gate.unheard(UNHEARD);
              state.giveUpWaiting(deaf ? Duration.ZERO : readDeadline, deaf ? unheard : late);
            },
            LOOK_MILLIS,
            LOOK_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private void join(
      NodeOptions options, EngineState state, Credentials credentials, BlockChanges changes)
      throws EleyException {
    var coordinator = options.coordinator();
    var link =
        new CoordinatorLink(
            state,
            new ConnectionDialer(coordinator.locator(), credentials),
            coordinator.silence(),
            changes);
    started.push(link::close);
    link.start();
    link.awaitRegistered(coordinator.patience());
  }

  /** Leaves the deployment and frees what it had in the engine. Blocks. */
  @Override
  public void close() {
    for (var stop = started.poll(); stop != null; stop = started.poll()) {
      stop.run();
    }
  }
}
