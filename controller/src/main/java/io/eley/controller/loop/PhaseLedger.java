package io.eley.controller.loop;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
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
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records every phase. A phase's account of our bytes begins, for each node, with its confirmation
 * of the hold, and ends with its first report after the phase; then the entry is recorded. Not
 * thread-safe: the loops' thread owns it.
 */
final class PhaseLedger implements PhaseListener {
  /** How long the entry of a phase that is over waits for nodes that report nothing any more. */
  private static final Duration LAST_REPORTS = Duration.ofSeconds(3);

  private static final class Account {
    final Evidence phase;
    final Instant began;
    final Optional<PhaseEntry.Predicted> predicted;
    Optional<Decision> decision = Optional.empty();
    double foreignSum;
    int foreignSeen;
    boolean tasksPassed;
    final Map<NodeId, Map<ReadCause, Long>> from = new HashMap<>();
    final Map<NodeId, Map<ReadCause, Long>> to = new HashMap<>();
    final long fallbackFrom;
    final Set<NodeId> confirmed = new HashSet<>();
    Optional<Duration> latency = Optional.empty();
    long endedAt;
    Optional<String> ending = Optional.empty();

    Account(
        Evidence phase,
        Instant began,
        Optional<PhaseEntry.Predicted> predicted,
        long fallbackFrom) {
      this.fallbackFrom = fallbackFrom;
      this.phase = phase;
      this.began = began;
      this.predicted = predicted;
    }

    boolean open() {
      return ending.isEmpty();
    }

    boolean is(Evidence other) {
      return phase.application().equals(other.application()) && phase.since() == other.since();
    }
  }

  private final BufferNodes nodes;
  private final Supplier<Decision> decision;
  private final Timeline timeline;
  private final Function<String, Optional<Forecast>> forecasts;
  private final Consumer<PhaseEntry> recorder;
  private final AloneLengths alone = new AloneLengths();
  private long fallbackBytes;
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

  @Override
  public void opened(Evidence phase) {
    // A source may notice a phase some time after it began.
    long age = Math.max(0, timeline.now() - phase.since());
    Instant began = timeline.timeOfDay().minusNanos(age);
    var account = new Account(phase, began, predicted(phase, began), fallbackBytes);
    nodes.all().forEach(n -> account.from.put(n.id(), n.moved().originBytes()));
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

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    for (Account account : accounts) {
      if (account.open() && account.is(phase)) {
        account.endedAt = at;
        account.ending = Optional.of(why.name());
      }
    }
  }

  /** Notes the operator's decision on the phases that are open now. */
  void noteDecision() {
    Decision now = decision.get();
    for (Account account : accounts) {
      if (account.decision.isEmpty()) {
        account.decision = Optional.of(now);
      }
      if (account.open()) {
        account.tasksPassed |= !now.demand().closed();
      }
    }
  }

  /**
   * Notes what clients have read past the buffer since the start, in bytes. A phase's account of
   * them goes from its begin to its entry.
   */
  void noteFallback(long total) {
    fallbackBytes = total;
  }

  /** Notes how fast an application in a phase was seen to move data. */
  void noteRate(String application, double bytesPerSecond) {
    for (Account account : accounts) {
      if (account.open() && account.phase.application().equals(application)) {
        account.foreignSum += bytesPerSecond;
        account.foreignSeen++;
      }
    }
  }

  /** Notes a node's report, which may confirm a hold, and may be its first after a phase. */
  void noteReport(NodeAccount node) {
    for (Account account : accounts) {
      if (!account.open()) {
        account.to.putIfAbsent(node.id(), node.moved().originBytes());
      } else if (node.holds() && account.confirmed.add(node.id())) {
        account.from.put(node.id(), node.moved().originBytes());
        if (account.confirmed.size() == nodes.count()) {
          account.latency = Optional.of(Duration.ofNanos(timeline.now() - account.phase.since()));
        }
      }
    }
    settle();
  }

  /** Records what is complete, or has waited for long enough. */
  void settle() {
    for (Iterator<Account> each = accounts.iterator(); each.hasNext(); ) {
      Account account = each.next();
      if (!account.open() && (complete(account) || late(account))) {
        each.remove();
        PhaseEntry entry = entry(account);
        alone.learn(entry);
        recorder.accept(entry);
      }
    }
  }

  private boolean complete(Account account) {
    return nodes.all().stream().allMatch(n -> account.to.containsKey(n.id()));
  }

  private boolean late(Account account) {
    return timeline.now() - account.endedAt > LAST_REPORTS.toNanos();
  }

  private PhaseEntry entry(Account account) {
    String application = account.phase.application();
    return new PhaseEntry(
        application,
        account.phase.source(),
        account.began,
        Duration.ofNanos(Math.max(0, account.endedAt - account.phase.since())),
        account.predicted,
        alone.of(application),
        account.foreignSeen == 0
            ? Optional.empty()
            : Optional.of(account.foreignSum / account.foreignSeen),
        new PhaseEntry.Hold(
            Math.max(nodes.count(), account.confirmed.size()),
            account.confirmed.size(),
            account.tasksPassed,
            account.latency),
        ourBytes(account),
        account.decision.map(Decision::operator).orElse(""),
        account.decision.map(Decision::reason).orElse(""),
        account.ending.orElse(""));
  }

  private Map<ReadCause, Long> ourBytes(Account account) {
    var bytes = new EnumMap<ReadCause, Long>(ReadCause.class);
    account.to.forEach(
        (node, to) ->
            to.forEach(
                (cause, count) -> {
                  long before = account.from.getOrDefault(node, Map.of()).getOrDefault(cause, 0L);
                  bytes.merge(cause, Math.max(0, count - before), Long::sum);
                }));
    bytes.merge(ReadCause.FALLBACK, fallbackBytes - account.fallbackFrom, Long::sum);
    bytes.values().removeIf(count -> count == 0);
    return bytes;
  }
}
