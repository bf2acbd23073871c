package io.eley.coordinator;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage;
import io.eley.bb.api.wire.NodeMessage.BlocksChanged;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.api.wire.NodeMessage.PermitApplied;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.controller.loop.ControlLoop;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.members.Members;
import io.eley.coordinator.metadata.MetadataCache;
import io.eley.coordinator.phases.ControlLog;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.test.fixtures.VirtualThread;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The coordinator on virtual time, without network, ledger file and sources. */
final class CoordinatorRig implements AutoCloseable {
  final VirtualThread thread = new VirtualThread();
  final Agent agent;
  final Coordinator coordinator;
  final List<PhaseEntry> entries = new ArrayList<>();
  private final MetadataCache metadata;
  private final Origin origin;
  private long correlations;

  /** With this directory as origin, and these settings beside the defaults, as key and value. */
  CoordinatorRig(Path directory, String... settings) throws EleyException {
    Map<String, String> values = new HashMap<>();
    values.put("eley.signal.reads", "false"); // these nodes do not say how long reads take
    values.put("eley.coordinator.directory", directory.toString());
    values.put("eley.coordinator.origin", directory.toString());
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    var options = CoordinatorOptions.from(Settings.of(values));
    agent = new Agent(thread, thread::now, () -> Instant.EPOCH.plusNanos(thread.now()));
    origin = Origins.open(directory.toString(), "rig");
    metadata = new MetadataCache(origin, options.metadata(), thread::now);
    var first = new ClusterView(7, options.geometry(), options.mode(), List.of());
    coordinator =
        new Coordinator(
            options,
            agent,
            new Members(first, "rig"),
            metadata,
            new Coordinator.Ledger(List.of(), new ControlLog(entries::add)));
    agent.every(ControlLoop.TICK, coordinator::tick);
  }

  /** Hands in a message as its connection does; returns its correlation. */
  long send(FakeSession from, NodeMessage message) {
    long correlation = ++correlations;
    agent.execute(() -> coordinator.handleNode(from, correlation, message));
    thread.runDue();
    return correlation;
  }

  static NodeAddress address(String node) {
    return new NodeAddress(new NodeId(node), "host-of-" + node, 7000, "");
  }

  /** A node with room for a gigabyte that has registered. */
  FakeSession registered(String node) {
    var session = new FakeSession(node);
    send(session, new Register(address(node), 1 << 30));
    return session;
  }

  /** What a node reports with the last permit it was granted. */
  void confirm(String node, FakeSession session, long prefetched) {
    confirm(node, session, Map.of(ReadCause.PREFETCH, prefetched));
  }

  /** The same with all that it has read from the origin. */
  void confirm(String node, FakeSession session, Map<ReadCause, Long> originBytes) {
    long sequence = session.last(GrantPermit.class).permit().sequence();
    var counters = new NodeCounters(1 << 30, 0, 0, 0, 0, originBytes, 0, 0, sequence, true, 0);
    send(session, new PermitApplied(new NodeId(node), sequence, counters));
  }

  long changed(FakeSession session, String node, List<BlockId> arrived) {
    return send(session, new BlocksChanged(new NodeId(node), arrived, List.of(), List.of()));
  }

  /** Lets time pass, in which these nodes confirm every 500 ms. */
  void run(Duration time, Map<String, FakeSession> alive) {
    long end = thread.now() + time.toNanos();
    while (thread.now() < end) {
      alive.forEach((node, session) -> confirm(node, session, 0));
      thread.runUntil(Math.min(end, thread.now() + 500_000_000));
    }
  }

  @Override
  public void close() throws EleyException {
    metadata.close();
    origin.close();
  }
}
