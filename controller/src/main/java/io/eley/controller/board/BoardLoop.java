package io.eley.controller.board;

import io.eley.controller.loop.Timeline;
import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.JoinedListener;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.SettledPhase;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.controller.predict.Forecast;
import io.eley.controller.watch.PhaseInput;
import io.eley.controller.watch.PhaseWatch;
import io.eley.controller.watch.WatchOptions;
import io.eley.prefetcher.control.Conditions.Doubt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The board of a site: the same watch as a deployment's, with the sources of an operator and
 * without nodes. To the counters each deployment is what a node is to its coordinator: it tells
 * what it had moved at some moment between our last answer and its word, so its own traffic is
 * bounded from both sides, whatever the delays, and looks like nobody's phase.
 *
 * <p>Not thread-safe: one thread owns it, the {@link Timeline}'s. Nothing here blocks. All of it
 * may be lost: deployments ask again.
 */
public final class BoardLoop implements PhaseInput {
  private final Timeline timeline;
  private final Listener listener;
  private final Names names;
  private final PhaseWatch watch;
  private final Claims claims = new Claims();
  private PhaseWatch.View view = new PhaseWatch.View(List.of(), Optional.empty(), Doubt.NONE);
  private Consumer<Boolean> closeLook = wanted -> {};
  private boolean looksClosely;

  /** Is notified of phases, and of users who have claimed what cannot be; must not block. */
  public interface Listener extends PhaseListener {
    /** A user's deployments say that they moved far more than everybody together. */
    void disbelieved(String user);
  }

  /**
   * A board without sources and deployments.
   *
   * @param showsAll whether every user sees the names of everybody's applications
   */
  public BoardLoop(WatchOptions options, Timeline timeline, boolean showsAll, Listener listener) {
    this.timeline = timeline;
    this.listener = listener;
    names = new Names(showsAll);
    watch = new PhaseWatch(options.withoutReads(), listener, new NoLedger());
  }

  @Override
  public void add(SourceKind source) {
    watch.add(source);
  }

  @Override
  public void observe(String source, List<Sighting> sightings) {
    long now = timeline.now();
    if (watch.kind(source).filter(SourceKind::totalsOnly).isPresent()) {
      for (Sighting total : sightings) {
        claims.audit(total.from(), total.to(), total.bytes(), now).forEach(listener::disbelieved);
      }
    }
    watch.observe(source, sightings, now);
    look();
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

  @Override
  public void onCloseLook(Consumer<Boolean> action) {
    closeLook = action;
  }

  @Override
  public void noteOwners(Map<String, String> users) {
    names.note(users);
  }

  /** Lets time pass. To be called often, {@link io.eley.controller.loop.ControlLoop#TICK}. */
  public void tick() {
    claims.forgetSilent(timeline.now()).forEach(watch::forget);
    look();
  }

  private void look() {
    view = watch.advance(timeline.now());
    if (watch.closeLook() != looksClosely) {
      looksClosely = !looksClosely;
      closeLook.accept(looksClosely);
    }
  }

  /**
   * Takes a deployment's word, and answers it.
   *
   * @param moved bytes that it says that it has moved since its start
   * @param stamp of the answer after which it has summed them up; 0 for its first word
   */
  public BoardAnswer answer(Asker asker, long moved, long stamp) {
    long now = timeline.now();
    var believed = claims.take(asker, moved, stamp, now);
    if (believed.isEmpty()) {
      watch.forget(asker.key());
    } else if (watch.observeOurs(
        asker.key(), believed.get().bytes(), believed.get().asked(), now)) {
      look();
    }
    return known(asker, now);
  }

  /**
   * Answers who only looks. It is no deployment: counters would wait a second for its next word,
   * and everybody's phases with them.
   */
  public BoardAnswer answerLook(Asker asker) {
    return known(asker, timeline.now());
  }

  private BoardAnswer known(Asker asker, long now) {
    return new BoardAnswer(
        now,
        phases(asker.user(), now),
        watch.predictor().forecasts().stream().map(f -> named(f, asker.user())).toList(),
        watch.health(now),
        claims.movedByOthers(asker),
        claims.sharers(asker, now));
  }

  /** How many deployments there are. */
  public int deployments() {
    return claims.count();
  }

  /** The phases that are open; what is hidden from the user is one of somebody. */
  private List<BoardAnswer.Phase> phases(String user, long now) {
    var byName = new TreeMap<String, BoardAnswer.Phase>();
    var rates = watch.bytesPerSecond(view.open().stream().map(Evidence::application).toList(), now);
    for (Evidence open : view.open()) {
      String name = names.of(open.application(), user);
      long rate = rates.getOrDefault(open.application(), 0.0).longValue();
      var one =
          new BoardAnswer.Phase(
              new Evidence(name, open.source(), open.since(), open.confidence()), rate);
      byName.merge(name, one, BoardLoop::both);
    }
    return new ArrayList<>(byName.values());
  }

  private static BoardAnswer.Phase both(BoardAnswer.Phase a, BoardAnswer.Phase b) {
    Evidence one = a.evidence();
    Evidence other = b.evidence();
    var all =
        new Evidence(
            one.application(),
            one.source(),
            Math.min(one.since(), other.since()),
            Math.max(one.confidence(), other.confidence()));
    boolean known = a.bytesPerSecond() > 0 && b.bytesPerSecond() > 0;
    return new BoardAnswer.Phase(all, known ? a.bytesPerSecond() + b.bytesPerSecond() : 0);
  }

  private Forecast named(Forecast f, String user) {
    return new Forecast(
        names.of(f.application(), user),
        f.guardFrom(),
        f.onset(),
        f.lateUntil(),
        f.lengthNanos(),
        f.confidence());
  }

  /** Ledgers are the deployments'. */
  private static final class NoLedger implements JoinedListener {
    @Override
    public void opened(Evidence phase) {}

    @Override
    public void closed(Evidence phase, long at, PhaseListener.Ending why) {}

    @Override
    public void resumed(Evidence phase, Evidence as) {}

    @Override
    public void settled(Evidence phase, SettledPhase result) {}
  }
}
