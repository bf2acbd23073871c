package io.eley.controller.loop;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.phase.SourceKind;
import io.eley.controller.predict.Forecast;
import io.eley.controller.predict.PhasePredictor;
import io.eley.controller.sense.HeardLoad;
import io.eley.controller.watch.PhaseInput;
import io.eley.controller.watch.PhaseWatch;
import io.eley.prefetcher.control.Conditions;
import io.eley.prefetcher.control.Conditions.Doubt;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.Models;
import io.eley.prefetcher.control.NoAction;
import io.eley.prefetcher.control.Outlook.Work;
import io.eley.prefetcher.control.PermitController;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes permits and the ledger from what is known of phases. It stands once: the coordinator's
 * process and the simulation both run this class, so what the simulation shows is what the product
 * does.
 *
 * <p><b>In</b> comes what sources see ({@link #observe}), what applications announce ({@link
 * #begin}, {@link #end}), what nodes confirm ({@link #confirm}), and time ({@link #tick}, often).
 * <b>Out</b> go permits to {@link BufferNode}s, entries of the ledger and decisions to the {@link
 * ControlListener}. Each input is thought about at once: a phase that is known now has its permits
 * on their way when the method returns.
 *
 * <p><b>What may be lost:</b> all of it. Nodes join again, announcements are renewed, phases are
 * observed again; what was learned of lengths comes back from the ledger's file by {@link #learn}.
 *
 * <p>Not thread-safe: one thread owns it, the {@link Timeline}'s. Nothing here blocks.
 */
public final class ControlLoop implements PhaseInput {
  /** How often {@link #tick} is to be called: leases, silence and renewals depend on it. */
  public static final Duration TICK = Duration.ofMillis(100);

  /** How often rates are measured for the models. */
  private static final Duration OBSERVATION = Duration.ofSeconds(1);

  /** Over how many measurements our own rate is averaged. */
  private static final int RATE_OVER = 2;

  private final ControlOptions options;
  private final Timeline timeline;
  private final Supplier<PlanFigures> plans;
  private final ControlListener listener;
  private final BufferNodes nodes = new BufferNodes();
  private final HoldRequests requests = new HoldRequests(nodes);
  private final Models models = new Models();
  private final PermitController controller;
  private final PhaseLedger ledger;
  private final PhaseWatch watch;
  private final HeldTime heldTime;
  private final BoardRounds board = new BoardRounds();
  private final NodePermits permits;
  private PhaseWatch.View view = new PhaseWatch.View(List.of(), Optional.empty(), Doubt.NONE);

  /** Whether our own reads are listened to: not where nobody would be held for. */
  private final boolean senses;

  private Consumer<Boolean> closeLook = wanted -> {};
  private boolean looksClosely;
  private Work work = Work.NONE;
  private long observedAt;
  private long pastTheBuffer;
  private final HeardLoad activity = new HeardLoad();
  private double ourBytesPerSecond;

  /**
   * A loop without nodes and sources, but for announcements.
   *
   * @param plans what is planned now, asked once a second
   */
  public ControlLoop(
      ControlOptions options,
      Timeline timeline,
      Supplier<PlanFigures> plans,
      ControlListener listener) {
    this.options = options;
    this.timeline = timeline;
    this.plans = plans;
    this.listener = listener;
    senses = options.watch().reads() && !(options.operator() instanceof NoAction);
    long now = timeline.now();
    observedAt = now;
    heldTime = new HeldTime(now);
    controller =
        new PermitController(
            options.operator(),
            options.delayMax(),
            options.permits().timeToLive(),
            options.permits().renewal(),
            now);
    ledger = new PhaseLedger(nodes, controller::decision, timeline, this::forecast, this::record);
    watch =
        new PhaseWatch(senses ? options.watch() : options.watch().withoutReads(), listener, ledger);
    permits = new NodePermits(options, senses, controller, nodes, board, watch.reads());
    decideFirst();
  }

  /** Decides before there is anybody to be told, so that the first permit is right already. */
  private void decideFirst() {
    long now = timeline.now();
    view = watch.advance(now);
    controller.update(conditions(now), now);
  }

  private Optional<Forecast> forecast(String application) {
    return watch.predictor().forecast(application);
  }

  private void record(PhaseEntry entry) {
    models.learn(entry);
    listener.recorded(entry);
  }

  /** Learns from the ledger of earlier runs, the oldest entry first; before anything else. */
  public void learn(List<PhaseEntry> past) {
    past.forEach(ledger::learn);
    past.forEach(models::learn);
    watch.predictor().learn(past);
  }

  @Override
  public void add(SourceKind source) {
    watch.add(source);
    decideFirst();
  }

  /** Adds a node and grants it a permit; one of the same id begins anew. */
  public void join(BufferNode node) {
    models.disturb();
    nodes.find(node.id()).ifPresent(ledger::noteLeft);
    watch.join(node.id().value());
    board.join(node.id());
    permits.grant(nodes.add(node), timeline.now());
  }

  /** Forgets nodes that have left. */
  public void leave(List<NodeId> gone) {
    if (!gone.isEmpty()) {
      gone.forEach(node -> nodes.find(node).ifPresent(ledger::noteLeft));
      gone.forEach(nodes::remove);
      gone.forEach(node -> watch.forget(node.value()));
      gone.forEach(board::leave);
      models.disturb();
      requests.answerIfAllHold();
    }
  }

  /** The nodes that have not answered a permit for too long; they are to {@link #leave}. */
  public List<NodeId> silentNodes() {
    return nodes.silent(options.permits().silence(), timeline.now());
  }

  /** Notes that a message of a node has arrived, which is not for this loop. */
  public void noteAlive(NodeId node) {
    nodes.find(node).ifPresent(NodeAccount::noteAlive);
  }

  /** Takes a node's confirmation of a permit; the one of an unknown node is ignored. */
  public void confirm(NodeId node, long sequence, Moved moved) {
    nodes.find(node).ifPresent(account -> confirm(account, sequence, moved));
  }

  private void confirm(NodeAccount account, long sequence, Moved moved) {
    long now = timeline.now();
    if (!account.reported()) {
      models.disturb(); // what it brings along of its life before is no rate
    }
    boolean throttled = account.throttledSince(moved);
    long asked = account.confirm(sequence, moved, now);
    board.confirm(account.id(), moved.originTotal(), asked);
    boolean foreignKnown = watch.observeOurs(account.id().value(), moved.originTotal(), asked, now);
    ledger.noteReport(account);
    requests.answerIfAllHold();
    boolean listens = throttled && senses && watch.noteThrottled(now);
    if (foreignKnown || listens) {
      decide();
    } else {
      permits.testOrigin(heldTime.current(now), now);
    }
  }

  /**
   * Notes what a client has moved past the buffer since its last report. To be called whenever one
   * reports, also that it has moved nothing more.
   */
  public void noteFallback(PastRead read) {
    pastTheBuffer += read.bytes();
    activity.notePast(read.bytes(), timeline.now());
    ledger.noteFallback(read);
    board.notePastTheBuffer(pastTheBuffer);
    if (watch.observePastTheBuffer(pastTheBuffer, timeline.now())) {
      decide();
    }
  }

  /**
   * Notes what metadata has cost the origin.
   *
   * @param calls that the coordinator has made since its start
   */
  public void noteMetadata(long calls) {
    ledger.noteMetadata(calls);
  }

  /** Whether nodes or clients load the origin so much that other deployments hear it. */
  public boolean heardByNeighbours() {
    return activity.heard(timeline.now());
  }

  /** Takes the word of another deployment of ours whether it loads the origin now. */
  public void noteNeighbour(String deployment, boolean loads) {
    watch.noteNeighbour(deployment, loads, timeline.now());
    decide();
  }

  /**
   * Takes what another deployment of ours had moved since its start, in bytes, at a moment of this
   * loop's clock: that is nobody's phase.
   */
  public void observeNeighbour(String deployment, long bytes, long at) {
    if (watch.observeNeighbour(deployment, bytes, at, timeline.now())) {
      decide();
    }
  }

  /** Lines for people about other deployments; none without any. */
  public List<String> describeNeighbours() {
    var lines = new ArrayList<String>();
    watch.describeNeighbours(timeline.now()).ifPresent(lines::add);
    board.describe().ifPresent(lines::add);
    return lines;
  }

  /** What this deployment has moved, and after which word of the board that was summed up. */
  public BoardRounds.Told toldToBoard() {
    return board.told();
  }

  /**
   * Takes what a site's board says beside phases, and asks all nodes what they have moved since.
   *
   * @param stamp to be returned with that
   * @param sharers by how many this deployment's fetchers are to be divided, at least 1
   * @param forecasts of phases to come
   */
  public void hearBoard(long stamp, int sharers, List<Forecast> forecasts) {
    watch.predictor().tell(forecasts);
    if (board.hear(stamp, sharers, nodes.ids(), timeline.now())) {
      grantAll();
    }
  }

  /** Forgets what the board has said, since it says nothing any more. */
  public void loseBoard() {
    watch.predictor().tell(List.of());
    board.lose();
  }

  /** What nodes and clients have read between two moments, about, for others to know. */
  public long ourBytes(long from, long to) {
    return watch.ourBytes(from, to);
  }

  /**
   * Takes how long a node's reads of the origin took.
   *
   * @param underWay those that have not ended, and how long they have taken by now
   */
  public void observeReads(NodeId node, List<ReadTime> ended, List<ReadTime> underWay) {
    activity.note(ended, timeline.now());
    activity.note(underWay, timeline.now());
    if (senses) {
      nodes.find(node).ifPresent(account -> observeReads(account, ended, underWay));
    }
  }

  private void observeReads(NodeAccount node, List<ReadTime> ended, List<ReadTime> underWay) {
    boolean learned = permits.learns(node);
    var before = watch.reads().state();
    watch.observeReads(node.id().value(), ended, underWay, timeline.now());
    if (watch.reads().state() != before) {
      decide();
    } else {
      long now = timeline.now();
      permits.testOrigin(heldTime.current(now), now); // hundreds of reports a second decide nothing
    }
    if (learned && !permits.learns(node)) {
      permits.grant(node, timeline.now());
    }
  }

  @Override
  public void onCloseLook(Consumer<Boolean> action) {
    closeLook = action;
  }

  @Override
  public void observe(String source, List<Sighting> sightings) {
    watch.observe(source, sightings, timeline.now());
    decide();
    watch.kind(source).filter(SourceKind::totalsOnly).ifPresent(this::askWhatWeMoved);
  }

  /**
   * Each permit is confirmed with what the node has moved, so permits ask for it: shortly after the
   * interval that the totals are of, and shortly before the next one ends, see {@link
   * io.eley.controller.phase.ForeignBytes}.
   */
  private void askWhatWeMoved(SourceKind totals) {
    Duration slack = options.watch().slack();
    timeline.after(slack, this::grantAll);
    Duration untilNext = totals.interval().minus(slack.multipliedBy(2));
    if (untilNext.compareTo(slack) > 0) {
      timeline.after(untilNext, this::grantAll);
    }
  }

  @Override
  public void noteFailure(String source, String why) {
    watch.noteFailure(source, why, timeline.now());
  }

  @Override
  public void noteInterval(String source, Duration apart) {
    watch.noteInterval(source, apart);
  }

  @Override
  public void noteBlindness(String source, Blindness blindness) {
    watch.noteBlindness(source, blindness);
  }

  /**
   * Begins a phase that its application announces, or renews its lease.
   *
   * @param answer takes, once, how far the hold has got: when every node holds, or when the time
   *     for that is over; must not block
   */
  public void begin(String application, Duration lease, Consumer<HoldState> answer) {
    watch.announced().begin(application, lease, timeline.now());
    decide();
    if (!controller.decision().held()) {
      answer.accept(new HoldState(nodes.count(), 0, false));
      return;
    }
    requests.add(answer);
    requests.answerIfAllHold();
    timeline.after(options.permits().confirmation(), () -> requests.giveUp(answer));
  }

  /** Ends a phase that its application had announced; returns whether it was open. */
  public boolean end(String application) {
    boolean was = watch.announced().end(application, timeline.now());
    decide();
    return was;
  }

  /** Lets time pass. */
  public void tick() {
    decide();
    observeRates();
    ledger.settle();
  }

  /** Grants permits when the decision has changed or the last permits are due for renewal. */
  private void decide() {
    long now = timeline.now();
    Decision before = controller.decision();
    view = watch.advance(now);
    if (controller.update(conditions(now), now)) {
      grantAll();
    }
    permits.testOrigin(heldTime.current(now), now);
    if (watch.closeLook() != looksClosely) {
      looksClosely = !looksClosely;
      closeLook.accept(looksClosely);
    }
    ledger.noteDecision();
    heldTime.advance(controller.decision().held(), !view.open().isEmpty(), now);
    if (!controller.decision().equals(before)) {
      models.disturb();
      listener.decided(controller.decision());
    }
  }

  private void grantAll() {
    permits.grantAll(timeline.now());
  }

  private Conditions conditions(long now) {
    var rates = foreignRates(now);
    rates.forEach(ledger::noteRate);
    var open =
        view.open().stream()
            .map(Evidence::application)
            .map(
                a ->
                    new Conditions.Activity(
                        a, ledger.aloneRate(a, rates.getOrDefault(a, 0.0)), ledger.aloneKnown(a)))
            .toList();
    var expected =
        view.expected()
            .map(f -> new Conditions.Expected(f.application(), Duration.ofNanos(f.onset() - now)));
    var outlook =
        models
            .outlook(nodes.count(), options.fetchers(), work, watch.predictor().duty(now))
            .sharedBy(board.sharers());
    return new Conditions(open, expected, Duration.ZERO, view.doubt(), outlook);
  }

  /** Bytes a second of each application that is in a phase, as far as that is known. */
  private Map<String, Double> foreignRates(long now) {
    return watch.bytesPerSecond(view.open().stream().map(Evidence::application).toList(), now);
  }

  /** Measures rates once a second, for the models and the probe. */
  private void observeRates() {
    long now = timeline.now();
    if (now - observedAt < OBSERVATION.toNanos()) {
      return;
    }
    observedAt = now;
    PlanFigures figures = plans.get();
    work = figures.work();
    double foreign = foreignRates(now).values().stream().mapToDouble(Double::doubleValue).sum();
    models.observe(
        new Models.Moment(
            now,
            nodes.originTotal(),
            foreign,
            view.open().isEmpty() ? permits.openFetchers() : 0,
            permits.moreThanUsual(),
            nodes.fetchesWait(),
            figures.fill(),
            work,
            figures.abandoned()),
        watch.predictor().duty(now));
    long since = now - RATE_OVER * OBSERVATION.toNanos();
    ourBytesPerSecond = watch.ourBytes(since, now) / (double) (RATE_OVER * OBSERVATION.toSeconds());
  }

  /** The present decision. */
  public Decision decision() {
    return controller.decision();
  }

  /** The phases that are open, one an application, as of the last input or tick. */
  public List<Evidence> openPhases() {
    return view.open();
  }

  /** Whether a source other than this one reports an open phase. */
  public boolean openBesides(String source) {
    return watch.openBesides(source, timeline.now());
  }

  /** The health of each source. */
  public List<SourceHealth> health() {
    return watch.health(timeline.now());
  }

  /** All forecasts there are, the soonest first. */
  public List<Forecast> forecasts() {
    return watch.predictor().forecasts();
  }

  /** How forecasts turned out since the start. */
  public PhasePredictor.Scores scores() {
    return watch.predictor().scores();
  }

  /** Describes the models to people. */
  public List<String> describeModels() {
    if (!senses) {
      return models.describe();
    }
    var lines = new ArrayList<>(models.describe());
    watch.describeStalls(timeline.now()).ifPresent(lines::add);
    lines.add(
        String.format(
            Locale.ROOT,
            "carrier sense: %d alarms came to nothing, %.1f s listened in vain",
            watch.reads().disputes(),
            watch.reads().listenedInVain().toMillis() / 1e3));
    return List.copyOf(lines);
  }

  /** Bytes a second that nodes and clients read from the origin, over the last two seconds. */
  public double ourBytesPerSecond() {
    return ourBytesPerSecond;
  }

  /** Bytes a second that others move at the origin; empty while no source counts them. */
  public Optional<Double> foreignBytesPerSecond() {
    return watch.foreignBytesPerSecond(timeline.now());
  }

  /** Bytes a second that the origin moves at most, as it was learned; 0 while that is not known. */
  public double capacity() {
    return models.capacity();
  }

  /** For how long prefetching has been held without a gap; zero when it is not. */
  public Duration heldFor() {
    return heldTime.current(timeline.now());
  }

  /** For how long prefetching was held while no phase was open, since the start. */
  public Duration heldWithoutNeed() {
    return heldTime.needless();
  }
}
