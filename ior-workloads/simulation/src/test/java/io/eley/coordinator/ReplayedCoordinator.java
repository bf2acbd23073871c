package io.eley.coordinator;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage.BlocksChanged;
import io.eley.bb.api.wire.NodeMessage.PermitApplied;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.server.net.FilePart;
import io.eley.bb.server.net.Session;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.loop.ControlOptions;
import io.eley.controller.loop.Moved;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.members.Members;
import io.eley.coordinator.metadata.MetadataCache;
import io.eley.coordinator.phases.ControlLog;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.simulation.InputLog;
import io.eley.test.fixtures.VirtualThread;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's process without its network and its thread: every input comes in as the message
 * or call by which the process gets it, at the moment at which it was recorded.
 */
public final class ReplayedCoordinator implements InputLog, AutoCloseable {
  private final VirtualThread thread = new VirtualThread();
  private final Coordinator coordinator;
  private final MetadataCache metadata;
  private final Origin origin;
  private final String source;
  private final Agent agent;
  private final Map<NodeId, Session> sessions = new HashMap<>();
  private final List<PhaseEntry> entries = new ArrayList<>();

  /**
   * A coordinator without nodes.
   *
   * @param directory to be its origin; nothing is read from it
   * @param source the one that is sampled
   */
  public ReplayedCoordinator(
      Path directory, BufferMode mode, ControlOptions control, SourceKind source)
      throws EleyException {
    var geometry = BlockGeometry.DEFAULT;
    var standard =
        CoordinatorOptions.of(directory, directory.toString(), mode, geometry, "127.0.0.1");
    var options =
        new CoordinatorOptions(
            standard.directory(),
            standard.origin(),
            mode,
            geometry,
            standard.host(),
            standard.port(),
            standard.advertisedHost(),
            standard.http(),
            standard.members(),
            control,
            standard.signals(),
            standard.planning(),
            standard.metadata(),
            standard.network());
    this.source = source.name();
    agent = new Agent(thread, thread::now, () -> Instant.EPOCH.plusNanos(thread.now()));
    origin = Origins.open(directory.toString(), "replay");
    metadata = new MetadataCache(origin, options.metadata(), thread::now);
    var members = new Members(new ClusterView(1, geometry, mode, List.of()), "replay");
    coordinator =
        new Coordinator(
            options,
            agent,
            members,
            metadata,
            new Coordinator.Ledger(List.of(), new ControlLog(entries::add)));
    coordinator.control().add(source);
    agent.every(ControlLoop.TICK, coordinator::tick);
  }

  @Override
  public void registered(long at, NodeId node, long capacityBytes) {
    thread.at(
        at,
        () -> {
          var session = new Connected();
          sessions.put(node, session);
          var address = new NodeAddress(node, "h" + node.value(), 1, "");
          coordinator.handleNode(session, 1, new Register(address, capacityBytes));
        });
  }

  @Override
  public void confirmed(long at, NodeId node, long sequence, Moved moved) {
    var counters =
        new NodeCounters(
            1, 0, 0, 0, 0, moved.originBytes(), 0, moved.waitingFetches(), sequence, true, 0);
    thread.at(
        at,
        () ->
            coordinator.handleNode(session(node), 0, new PermitApplied(node, sequence, counters)));
  }

  @Override
  public void heard(long at, NodeId node) {
    var nothing = new BlocksChanged(node, List.of(), List.of(), List.of());
    thread.at(at, () -> coordinator.handleNode(session(node), 1, nothing));
  }

  @Override
  public void began(long at, String application, Duration lease) {
    thread.at(
        at,
        () -> coordinator.announcements().begin(new BeginPhase(application, lease), held -> {}));
  }

  @Override
  public void ended(long at, String application) {
    thread.at(
        at,
        () -> {
          var unused = coordinator.announcements().end(application);
        });
  }

  @Override
  public void accounted(long at, List<Sighting> sightings) {
    thread.at(at, () -> agent.execute(() -> coordinator.control().observe(source, sightings)));
  }

  @Override
  public void over(long at) {
    thread.runUntil(at);
  }

  /** The ledger. */
  public List<PhaseEntry> entries() {
    return List.copyOf(entries);
  }

  private Session session(NodeId node) {
    Session session = sessions.get(node);
    if (session == null) {
      throw new AssertionError(node + " was recorded before it registered");
    }
    return session;
  }

  @Override
  public void close() throws EleyException {
    metadata.close();
    origin.close();
  }

  /** A connection to nowhere: what the node would do is in the record. */
  private static final class Connected implements Session {
    @Override
    public void reply(long correlation, Message message) {}

    @Override
    public void push(Message message) {}

    @Override
    public void replyBlock(long correlation, BlockData header, FilePart bytes) {
      throw new AssertionError("a coordinator has no blocks");
    }

    @Override
    public boolean writable() {
      return true;
    }

    @Override
    public String peer() {
      return "recorded";
    }

    @Override
    public String localHost() {
      return "127.0.0.1";
    }

    @Override
    public void close() {}

    @Override
    public @Nullable Object attachment() {
      return null;
    }

    @Override
    public void attach(@Nullable Object attachment) {}
  }
}
