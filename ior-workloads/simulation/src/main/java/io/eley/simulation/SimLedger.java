package io.eley.simulation;

import io.eley.bb.api.ReadCause;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.predict.Forecast;
import io.eley.prefetcher.control.AloneLengths;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.Models;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Entries of phases, for the production's learning: what the coordinator's ledger would have, but
 * for confirmations, which virtual nodes do not send.
 */
final class SimLedger implements PhaseListener {
  private record Account(
      Evidence phase, Map<ReadCause, Long> bytes, Optional<PhaseEntry.Predicted> predicted) {}

  private final Supplier<Decision> decision;
  private final Supplier<Map<ReadCause, Long>> ours;
  private final Function<String, Optional<Forecast>> forecasts;
  private final AloneLengths alone = new AloneLengths();
  private final Models models;
  private final Map<String, Account> open = new HashMap<>();
  private final Map<String, Boolean> disturbed = new HashMap<>();
  private final Map<String, Double> rates = new HashMap<>();
  private final List<PhaseEntry> entries = new ArrayList<>();

  SimLedger(
      Supplier<Decision> decision,
      Supplier<Map<ReadCause, Long>> ours,
      Function<String, Optional<Forecast>> forecasts,
      Models models) {
    this.decision = decision;
    this.ours = ours;
    this.forecasts = forecasts;
    this.models = models;
  }

  @Override
  public void opened(Evidence phase) {
    boolean held = decision.get().held();
    var predicted =
        forecasts
            .apply(phase.application())
            .map(
                f ->
                    new PhaseEntry.Predicted(
                        time(f.onset()),
                        Duration.ofNanos(f.lengthNanos()),
                        held && phase.since() - f.guardFrom() >= 0));
    open.put(phase.application(), new Account(phase, ours.get(), predicted));
    disturbed.put(phase.application(), false);
  }

  /** The operator has decided upon the phases that are open now. */
  void decided() {
    Decision now = decision.get();
    if (!now.held() || !now.demand().closed()) {
      disturbed.replaceAll((application, before) -> true);
    }
  }

  void moves(String application, double bytesPerSecond) {
    rates.put(application, bytesPerSecond);
  }

  void learn(PhaseEntry entry) {
    alone.learn(entry);
  }

  boolean aloneKnown(String application) {
    return alone.of(application).isPresent();
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    Account account = open.remove(phase.application());
    if (account == null) {
      return;
    }
    boolean complete = !Boolean.TRUE.equals(disturbed.remove(phase.application()));
    var bytes = new HashMap<ReadCause, Long>();
    ours.get()
        .forEach((cause, sum) -> bytes.put(cause, sum - account.bytes.getOrDefault(cause, 0L)));
    var entry =
        new PhaseEntry(
            phase.application(),
            phase.source(),
            time(account.phase.since()),
            Duration.ofNanos(Math.max(0, at - account.phase.since())),
            account.predicted,
            alone.of(phase.application()),
            Optional.ofNullable(rates.remove(phase.application())),
            new PhaseEntry.Hold(1, complete ? 1 : 0, !complete, Optional.empty()),
            bytes,
            decision.get().operator(),
            decision.get().reason(),
            why.name());
    alone.learn(entry);
    models.phase(entry);
    entries.add(entry);
  }

  List<PhaseEntry> entries() {
    return List.copyOf(entries);
  }

  private static Instant time(long nanos) {
    return Instant.EPOCH.plusNanos(nanos);
  }
}
