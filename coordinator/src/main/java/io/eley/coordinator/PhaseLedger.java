package io.eley.coordinator;

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
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Accounts for every phase. A phase's account of our bytes begins, for each node, with its
 * confirmation of the hold, and ends with its first word after the phase; then the entry is
 * written. The agent's.
 */
final class PhaseLedger implements PhaseListener {
  /** How long the entry of a phase that is over waits for nodes that say nothing any more. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  private static final class Account {
    final Evidence phase;
    final Instant began;
    final Optional<PhaseEntry.Predicted> predicted;
    String operator = "";
    String decision = "";
    double foreignSum;
    int foreignSeen;
    boolean tasksPassed;
    final Map<NodeId, Map<ReadCause, Long>> from = new HashMap<>();
    final Map<NodeId, Map<ReadCause, Long>> to = new HashMap<>();
    final Set<NodeId> confirmed = new HashSet<>();
    Optional<Duration> latency = Optional.empty();
    long endedAt;
    Optional<String> ending = Optional.empty();

    Account(Evidence phase, Instant began, Optional<PhaseEntry.Predicted> predicted) {
      this.phase = phase;
      this.began = began;
      this.predicted = predicted;
    }
  }

  private final Members members;
  private final Supplier<Decision> decision;
  private final Supplier<Instant> clock;
  private final LongSupplier nanos;
  private final Consumer<PhaseEntry> written;
  private final Function<String, Optional<Forecast>> forecasts;
  private final AloneLengths alone;
  private final List<Account> accounts = new ArrayList<>();

  /**
   * No phase yet.
   *
   * @param decision the operator's, now
   * @param clock the time of day
   * @param nanos the monotonic clock that phases are told by
   * @param alone what was learned before
   * @param forecasts of an application's next phase, as long as that has not begun
   * @param written takes each entry once; must not block
   */
  PhaseLedger(
      Members members,
      Supplier<Decision> decision,
      Supplier<Instant> clock,
      LongSupplier nanos,
      AloneLengths alone,
      Function<String, Optional<Forecast>> forecasts,
      Consumer<PhaseEntry> written) {
    this.members = members;
    this.decision = decision;
    this.clock = clock;
    this.nanos = nanos;
    this.alone = alone;
    this.forecasts = forecasts;
    this.written = written;
  }

  @Override
  public void opened(Evidence phase) {
    // A source may tell of a phase some time after it began.
    Instant began = clock.get().minusNanos(Math.max(0, nanos.getAsLong() - phase.since()));
    var account = new Account(phase, began, predicted(phase, began));
    members.all().forEach(m -> account.from.put(m.address().id(), m.originBytes()));
    accounts.add(account);
  }

  private Optional<PhaseEntry.Predicted> predicted(Evidence phase, Instant began) {
    boolean held =
        !members.all().isEmpty() && members.all().stream().allMatch(m -> m.heldNow() && m.holds());
    return forecasts
        .apply(phase.application())
        .map(
            f ->
                new PhaseEntry.Predicted(
                    began.plusNanos(f.onset() - phase.since()),
                    Duration.ofNanos(f.lengthNanos()),
                    held && phase.since() - f.guardFrom() >= 0));
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    for (Account account : accounts) {
      if (account.phase.application().equals(phase.application())
          && account.phase.since() == phase.since()
          && account.ending.isEmpty()) {
        account.endedAt = at;
        account.ending = Optional.of(why.name());
      }
    }
  }

  /** The operator has decided upon the phases that are open now. */
  void decided() {
    Decision now = decision.get();
    for (Account account : accounts) {
      if (account.decision.isEmpty()) {
        account.decision = now.reason();
        account.operator = now.operator();
      }
      if (account.ending.isEmpty()) {
        account.tasksPassed |= !now.demand().closed();
      }
    }
  }

  /** An application in a phase was seen to move so much. */
  void moves(String application, double bytesPerSecond) {
    for (Account account : accounts) {
      if (account.ending.isEmpty() && account.phase.application().equals(application)) {
        account.foreignSum += bytesPerSecond;
        account.foreignSeen++;
      }
    }
  }

  /** Whether an application's length alone has been learned. */
  boolean aloneKnown(String application) {
    return alone.of(application).isPresent();
  }

  /** A node obeys the permit that it was given last. */
  void confirmed(Member member, long now) {
    NodeId node = member.address().id();
    for (Account account : accounts) {
      if (account.ending.isPresent()) {
        continue;
      }
      if (member.holds() && member.heldNow() && account.confirmed.add(node)) {
        account.from.put(node, member.originBytes());
        if (account.confirmed.size() == members.all().size()) {
          account.latency = Optional.of(Duration.ofNanos(now - account.phase.since()));
        }
      }
    }
  }

  /** A node has told its counters. */
  void heard(Member member, long now) {
    NodeId node = member.address().id();
    for (Account account : accounts) {
      if (account.ending.isPresent()) {
        account.to.putIfAbsent(node, member.originBytes());
      }
    }
    settle(now);
  }

  /** Writes what is complete, or has waited for long enough. */
  void settle(long now) {
    for (Iterator<Account> each = accounts.iterator(); each.hasNext(); ) {
      Account account = each.next();
      boolean complete =
          account.ending.isPresent()
              && members.all().stream().allMatch(m -> account.to.containsKey(m.address().id()));
      boolean late = account.ending.isPresent() && now - account.endedAt > LAST_WORDS.toNanos();
      if (complete || late) {
        each.remove();
        PhaseEntry entry = entry(account);
        alone.learn(entry);
        written.accept(entry);
      }
    }
  }

  private PhaseEntry entry(Account account) {
    var bytes = new EnumMap<ReadCause, Long>(ReadCause.class);
    account.to.forEach(
        (node, to) ->
            to.forEach(
                (cause, count) -> {
                  long before = account.from.getOrDefault(node, Map.of()).getOrDefault(cause, 0L);
                  bytes.merge(cause, Math.max(0, count - before), Long::sum);
                }));
    bytes.values().removeIf(count -> count == 0);
    int nodes = Math.max(members.all().size(), account.confirmed.size());
    return new PhaseEntry(
        account.phase.application(),
        account.phase.source(),
        account.began,
        Duration.ofNanos(Math.max(0, account.endedAt - account.phase.since())),
        account.predicted,
        alone.of(account.phase.application()),
        account.foreignSeen == 0
            ? Optional.empty()
            : Optional.of(account.foreignSum / account.foreignSeen),
        new PhaseEntry.Hold(nodes, account.confirmed.size(), account.tasksPassed, account.latency),
        bytes,
        account.operator,
        account.decision,
        account.ending.orElse(""));
  }
}
