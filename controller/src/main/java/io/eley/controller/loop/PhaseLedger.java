package io.eley.controller.loop;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.JoinedListener;
import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.controller.phase.SettledPhase;
import io.eley.controller.predict.Forecast;
import io.eley.prefetcher.control.AloneLengths;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Records every phase. A phase's account of our bytes begins, for each node, with its confirmation
 * of the hold, and ends with its first report after the phase; then the entry is recorded. Where a
 * phase was noticed after its begin, or its end after that, the bytes are those that the node had
 * moved by then, between its reports. Not thread-safe: the loops' thread owns it.
 */
final class PhaseLedger implements JoinedListener {
  /** How long the entry of a phase that is over waits for nodes that report nothing any more. */
  private static final Duration LAST_REPORTS = Duration.ofSeconds(3);

  /** What is noticed within this time is noticed when it happens, as announcements are. */
  private static final Duration AT_ONCE = Duration.ofMillis(50);

  /**
   * What a node that has left had moved before the phase, and its reports. Those tell what it had
   * moved by the end, which a phase that goes on has anew.
   */
  private record Life(Map<ReadCause, Long> from, NodeAccount node) {
    /** Whether it goes on in a first report behind it; a process begins with nothing moved. */
    boolean goesOnIn(Map<ReadCause, Long> now) {
      return node.moved().originBytes().entrySet().stream()
          .allMatch(e -> now.getOrDefault(e.getKey(), 0L) >= e.getValue());
    }
  }

  private static final class Account {
    final Evidence phase;
    final Instant began;
    String application;
    Optional<PhaseEntry.Predicted> predicted;
    Optional<Decision> decision = Optional.empty();
    double foreignSum;
    int foreignSeen;
    boolean tasksPassed;

    /** Whether prefetching went on at any time of it: then it was not as if alone. */
    boolean prefetched;

    /** Of all nodes, each at its confirmation. */
    UnderWay underWay = UnderWay.NONE;

    final Map<NodeId, Map<ReadCause, Long>> from = new HashMap<>();
    final Map<NodeId, Map<ReadCause, Long>> to = new HashMap<>();

    /** What nodes that have left had moved, until they come again. */
    final Map<NodeId, Life> left = new HashMap<>();

    /** Processes in whose place another one speaks by now. */
    final List<Life> former = new ArrayList<>();

    final Map<ReadCause, Double> past = new EnumMap<>(ReadCause.class);
    final Set<NodeId> reported = new HashSet<>();
    final Set<NodeId> confirmed = new HashSet<>();
    Optional<Duration> latency = Optional.empty();
    boolean open = true;
    long endedAt;

    /** Whether it had begun before it was noticed, and had been over before that was. */
    final boolean begunBefore;

    boolean overBefore;
    long metadataBefore;
    long metadataCalls;
    Optional<SettledPhase> result = Optional.empty();

    Account(
        Evidence phase,
        Instant began,
        Optional<PhaseEntry.Predicted> predicted,
        boolean begunBefore) {
      this.begunBefore = begunBefore;
      this.phase = phase;
      this.began = began;
      this.application = phase.application();
      this.predicted = predicted;
    }

    /** Adds what clients moved past the buffer in it, or takes that away again. */
    void addPast(Map<ReadCause, Double> bytes, int sign) {
      bytes.forEach((cause, count) -> past.merge(cause, sign * count, Double::sum));
    }
  }

  private final BufferNodes nodes;
  private final Supplier<Decision> decision;
  private final Timeline timeline;
  private final Function<String, Optional<Forecast>> forecasts;
  private final Consumer<PhaseEntry> recorder;
  private final AloneLengths alone = new AloneLengths();
  private final PastReads past = new PastReads();
  private long metadataCalls;
  private final List<Account> accounts = new ArrayList<>();

  /**
   * A ledger without a phase yet.
   *
   * @param decision the operator's, now
   * @param forecasts of an application's next phase, as long as that has not begun
   * @param recorder takes each entry once; must not block
   */
  PhaseLedger(
      BufferNodes nodes,
      Supplier<Decision> decision,
      Timeline timeline,
      Function<String, Optional<Forecast>> forecasts,
      Consumer<PhaseEntry> recorder) {
    this.nodes = nodes;
    this.decision = decision;
    this.timeline = timeline;
    this.forecasts = forecasts;
    this.recorder = recorder;
  }

  /** Learns lengths from the entry of an earlier run. */
  void learn(PhaseEntry entry) {
    alone.learn(entry);
  }

  /** Whether an application's length alone has been learned. */
  boolean aloneKnown(String application) {
    return alone.of(application).isPresent();
  }

  /**
   * Bytes a second that an application moves alone; empty while that is not known.
   *
   * @param now at least, since it moves so much now
   */
  Optional<Double> aloneRate(String application, double now) {
    OptionalDouble known = alone.rateOf(application);
    return known.isPresent() ? Optional.of(Math.max(known.getAsDouble(), now)) : Optional.empty();
  }

  @Override
  public void opened(Evidence phase) {
    // A source may notice a phase some time after it began.
    long age = Math.max(0, timeline.now() - phase.since());
    Instant began = timeline.timeOfDay().minusNanos(age);
    var account = new Account(phase, began, predicted(phase, began), age > AT_ONCE.toNanos());
    nodes.all().stream()
        .filter(NodeAccount::reported)
        .forEach(n -> account.from.put(n.id(), n.bytesAt(phase.since())));
    account.metadataBefore = metadataCalls;
    account.addPast(past.since(phase.since()), 1);
    accounts.add(account);
  }

  private Optional<PhaseEntry.Predicted> predicted(Evidence phase, Instant began) {
    return forecasts
        .apply(phase.application())
        .map(
            f ->
                new PhaseEntry.Predicted(
                    began.plusNanos(f.onset() - phase.since()),
                    Duration.ofNanos(f.lengthNanos()),
                    nodes.allHold() && phase.since() - f.guardFrom() >= 0));
  }

  private Optional<Account> account(Evidence phase) {
    return accounts.stream().filter(a -> a.phase.equals(phase)).findFirst();
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    account(phase)
        .ifPresent(
            account -> {
              account.open = false;
              account.endedAt = at;
              account.metadataCalls = metadataCalls - account.metadataBefore;
              account.overBefore = timeline.now() - at > AT_ONCE.toNanos();
              account.addPast(past.since(at), -1);
            });
  }

  @Override
  public void resumed(Evidence phase, Evidence as) {
    account(phase)
        .ifPresent(
            account -> {
              account.open = true;
              account.to.clear();
              account.addPast(past.since(account.endedAt), 1);
              account.application = as.application();
              account.predicted = account.predicted.or(() -> predicted(as, account.began));
            });
  }

  @Override
  public void settled(Evidence phase, SettledPhase result) {
    account(phase).ifPresent(account -> account.result = Optional.of(result));
    settle();
  }

  /** Notes the operator's decision on the phases that are open now. */
  void noteDecision() {
    Decision now = decision.get();
    for (Account account : accounts) {
      if (account.decision.isEmpty()) {
        account.decision = Optional.of(now);
      }
      if (account.open) {
        account.tasksPassed |= !now.demand().closed();
        account.prefetched |= !now.held();
      }
    }
  }

  /** Notes what a client has moved past the buffer. */
  void noteFallback(PastRead read) {
    past.add(read);
    for (Account account : accounts) {
      long end = account.open ? read.to() : account.endedAt;
      account.addPast(Map.of(read.cause(), read.between(account.phase.since(), end)), 1);
    }
    settle();
  }

  /** Notes how many calls for metadata the origin has had from us since the start. */
  void noteMetadata(long calls) {
    metadataCalls = calls;
  }

  /** Notes how fast an application in a phase was seen to move data. */
  void noteRate(String application, double bytesPerSecond) {
    for (Account account : accounts) {
      if (account.open && account.application.equals(application)) {
        account.foreignSum += bytesPerSecond;
        account.foreignSeen++;
      }
    }
  }

  /** Notes a node's report, which may confirm a hold, and may be its first after a phase. */
  void noteReport(NodeAccount node) {
    for (Account account : accounts) {
      Life before = account.left.remove(node.id());
      if (before != null && !before.goesOnIn(node.moved().originBytes())) {
        account.former.add(before);
        account.to.remove(node.id()); // that was the former's
        account.from.put(node.id(), account.open ? Map.of() : node.bytesAt(account.endedAt));
      }
      if (!account.open) {
        // What one that reports for the first time has moved before is not of this phase.
        account.from.putIfAbsent(node.id(), node.bytesAt(account.phase.since()));
        account.to.putIfAbsent(
            node.id(),
            account.overBefore || !account.confirmed.contains(node.id())
                ? node.bytesAt(account.endedAt)
                : node.moved().originBytes());
        continue;
      }
      boolean early = account.begunBefore || !node.toldToHold();
      if (early && account.reported.add(node.id())) {
        account.from.put(node.id(), node.bytesAt(account.phase.since()));
      }
      if (node.holds() && account.confirmed.add(node.id())) {
        account.underWay = account.underWay.plus(node.moved().underWay());
        if (!account.begunBefore) {
          account.from.put(node.id(), node.moved().originBytes());
        }
        if (account.confirmed.size() == nodes.count()) {
          account.latency = Optional.of(Duration.ofNanos(timeline.now() - account.phase.since()));
        }
      }
    }
    settle();
  }

  /**
   * Notes that a node leaves, or that another process is to speak for it: it reports no more, but
   * what it has moved was moved. Also in a phase that is over, after which it has reported: that
   * may go on.
   */
  void noteLeft(NodeAccount node) {
    for (Account account : accounts) {
      Map<ReadCause, Long> from = account.from.get(node.id());
      if (from != null && node.reported()) { // else the one before it has left still
        account.left.put(node.id(), new Life(from, node));
      }
    }
  }

  /** Records what is complete, or has waited for long enough. */
  void settle() {
    for (Iterator<Account> each = accounts.iterator(); each.hasNext(); ) {
      Account account = each.next();
      if (account.result.isPresent() && (complete(account) || late(account))) {
        each.remove();
        PhaseEntry entry = entry(account, account.result.get());
        alone.learn(entry);
        recorder.accept(entry);
      }
    }
  }

  private boolean complete(Account account) {
    return past.complete(account.endedAt, timeline.now())
        && nodes.all().stream().allMatch(n -> account.to.containsKey(n.id()));
  }

  private boolean late(Account account) {
    return timeline.now() - account.endedAt > LAST_REPORTS.toNanos();
  }

  private PhaseEntry entry(Account account, SettledPhase result) {
    long shift = result.begin() - account.phase.since();
    return new PhaseEntry(
        result.application(),
        result.sources(),
        account.began.plusNanos(shift),
        Duration.ofNanos(result.end() - result.begin()),
        account.predicted,
        alone.of(result.application()),
        account.foreignSeen == 0
            ? Optional.empty()
            : Optional.of(account.foreignSum / account.foreignSeen),
        hold(account, shift),
        ourBytes(account),
        account.metadataCalls,
        account.decision.map(Decision::operator).orElse(""),
        account.decision.map(Decision::reason).orElse(""),
        new PhaseEntry.Observed(result.why().name(), result.resolution(), result.corrections()));
  }

  private PhaseEntry.Hold hold(Account account, long shift) {
    int there = Math.max(nodes.count(), account.confirmed.size());
    return account.prefetched
        ? new PhaseEntry.Hold(there, 0, account.tasksPassed, Optional.empty())
        : new PhaseEntry.Hold(
            there,
            account.confirmed.size(),
            account.tasksPassed,
            account.latency.map(l -> Duration.ofNanos(Math.max(0, l.toNanos() - shift))),
            account.underWay);
  }

  private Map<ReadCause, Long> ourBytes(Account account) {
    var bytes = new EnumMap<ReadCause, Long>(ReadCause.class);
    account.to.forEach((node, to) -> add(account.from.getOrDefault(node, Map.of()), to, bytes));
    Stream.concat(
            account.former.stream(),
            account.left.entrySet().stream()
                .filter(left -> !account.to.containsKey(left.getKey()))
                .map(Map.Entry::getValue))
        .forEach(life -> add(life.from(), life.node().bytesAt(account.endedAt), bytes));
    account.past.forEach((cause, count) -> bytes.merge(cause, Math.round(count), Long::sum));
    bytes.values().removeIf(count -> count <= 0);
    return bytes;
  }

  private static void add(
      Map<ReadCause, Long> from, Map<ReadCause, Long> to, Map<ReadCause, Long> bytes) {
    to.forEach(
        (cause, count) ->
            bytes.merge(cause, Math.max(0, count - from.getOrDefault(cause, 0L)), Long::sum));
  }
}
