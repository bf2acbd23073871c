package io.eley.coordinator.live;

import io.eley.bb.api.ReadTime;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.controller.loop.ControlListener;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.loop.Timeline;
import io.eley.controller.phase.Evidence;
import io.eley.coordinator.drivers.Drivers;
import io.eley.coordinator.live.LiveDocument.Point;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is kept for whoever looks later: a point of traffic a second, and the phases that are over.
 * That is all that is done while nobody looks. On the agent's thread.
 */
public final class LiveState {
  private final Timeline timeline;
  private final ControlLoop control;
  private final Drivers drivers;
  private final Supplier<DeploymentReport> report;
  private final PhaseHistory history;
  private final TrafficRing traffic = new TrafficRing();
  private final OriginCost cost = new OriginCost();
  private long sampledAt;

  /**
   * The state of a coordinator that starts now.
   *
   * @param history to which {@link History} adds what the ledger records
   * @param report of the deployment
   */
  public LiveState(
      Timeline timeline,
      ControlLoop control,
      Drivers drivers,
      History history,
      Supplier<DeploymentReport> report) {
    this.timeline = timeline;
    this.control = control;
    this.drivers = drivers;
    this.history = history.phases;
    this.report = report;
    sampledAt = timeline.now();
  }

  /** Phases as the ledger records them, on their way to the next listener. */
  public static final class History implements ControlListener {
    private final ControlListener next;
    private final PhaseHistory phases = new PhaseHistory();

    /**
     * A history.
     *
     * @param past entries of earlier runs, the oldest first
     * @param next is notified of everything afterwards
     */
    public History(List<PhaseEntry> past, ControlListener next) {
      this.next = next;
      past.forEach(phases::add);
    }

    @Override
    public void recorded(PhaseEntry entry) {
      phases.add(entry);
      next.recorded(entry);
    }

    @Override
    public void decided(Decision decision) {
      next.decided(decision);
    }

    @Override
    public void opened(Evidence phase) {
      next.opened(phase);
    }

    @Override
    public void closed(Evidence phase, long at, Ending why) {
      next.closed(phase, at, why);
    }
  }

  /** Lets time pass; often. */
  public void tick() {
    long now = timeline.now();
    if (now - sampledAt < LiveDocuments.STEP.toNanos()) {
      return;
    }
    // A tick comes a little late: the next point keeps its second all the same.
    long late = (now - sampledAt) % LiveDocuments.STEP.toNanos();
    sampledAt = now - late;
    traffic.add(
        new Point(
            timeline.timeOfDay().toEpochMilli(),
            Math.round(control.ourBytesPerSecond()),
            control.foreignBytesPerSecond().map(Math::round).orElse(null),
            control.decision().held()));
  }

  /** Takes how long reads of the origin took. */
  public void noteReads(List<ReadTime> ended) {
    cost.note(ended);
  }

  /** The document of this moment. */
  public LiveDocument document() {
    return LiveDocuments.of(facts());
  }

  /**
   * Lines for people about an application, by its id or name; none when there is none. One says
   * what it waits for, one what it read, and one, which begins with "phases", what phases it met.
   */
  public List<String> explain(String target) {
    LiveFacts facts = facts();
    return facts.report().applications().stream()
        .filter(a -> a.application().equals(target) || a.name().equals(target))
        .flatMap(a -> ApplicationWords.of(a, facts, met(a.application(), facts)).stream())
        .toList();
  }

  private PhaseHistory.Met met(String application, LiveFacts facts) {
    return history.since(drivers.began(application).orElse(Instant.ofEpochMilli(facts.at())));
  }

  private LiveFacts facts() {
    return new LiveFacts(
        timeline.timeOfDay().toEpochMilli(),
        report.get(),
        control.decision().held(),
        traffic.all(),
        control.capacity(),
        history.last(),
        history.figures(),
        drivers.reads(),
        cost.nanosPerByte());
  }
}
