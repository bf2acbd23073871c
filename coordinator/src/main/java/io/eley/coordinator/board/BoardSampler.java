package io.eley.coordinator.board;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.wire.BoardMessage.AskBoard;
import io.eley.bb.api.wire.BoardMessage.BoardView;
import io.eley.bb.api.wire.BoardMessage.ExpectedPhase;
import io.eley.bb.api.wire.BoardMessage.OpenPhase;
import io.eley.bb.api.wire.BoardMessage.WatchedSource;
import io.eley.controller.loop.BoardRounds;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.controller.predict.Forecast;
import io.eley.controller.sense.HeardLoad;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.neighbours.FileSystemName;
import io.eley.scheduler.hooks.signal.ByteCounts;
import io.eley.scheduler.hooks.signal.PollTiming;
import io.eley.scheduler.hooks.signal.Sampler;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a site's board, and tells it what this deployment moves. What the board sees of phases are
 * samples like any other source's; what it says beside them goes to the control loop. While it is
 * away the deployment goes on with its other sources.
 *
 * <p>For one thread, which it blocks for {@link BoardLink#DEADLINE} at most, twice, and for the
 * file system of the board's directory.
 */
public final class BoardSampler implements Sampler {
  public static final String NAME = "board";

  private static final Logger LOG = LoggerFactory.getLogger(BoardSampler.class);

  /** What the board says is as sure as it says. */
  private static final double CONFIDENCE = 1;

  /** What deployments told the board was known to them about so long before. */
  private static final Duration LAG = Duration.ofMillis(200);

  /** How often it is asked: what is known of our traffic is known to that, see BoardLoop. */
  public static final PollTiming TIMING =
      new PollTiming(Duration.ofMillis(150), BoardLink.DEADLINE);

  /** The board's own sources look each second. */
  private static final Duration RESOLUTION = Duration.ofSeconds(1);

  private final BoardFiles files;
  private final String origin;
  private final Deployment deployment;
  private final BoardLink link;
  private final HeardLoad others = new HeardLoad();
  private String fileSystem = "";
  private long othersMoved;
  private long askedAt;
  private Set<String> open = Set.of();
  private Blindness blindness = Blindness.NONE;

  /**
   * The deployment that asks.
   *
   * @param heardBytesPerSecond from so many on what others move makes its own reads longer
   */
  public record Deployment(Agent agent, ControlLoop control, double heardBytesPerSecond) {}

  /**
   * A sampler that has not connected yet.
   *
   * @param origin address of what the deployment reads
   * @param protection what the operator asks of connections
   */
  public BoardSampler(
      BoardFiles files, String origin, NetworkProtection protection, Deployment deployment) {
    this.files = files;
    this.origin = origin;
    this.deployment = deployment;
    link = new BoardLink(files, protection);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SourceKind kind(PollTiming timing) {
    return SourceKind.sampled(NAME, CONFIDENCE, timing.interval(), timing.freshness())
        .within(RESOLUTION)
        .tellingPhases();
  }

  @Override
  public Blindness blindness() {
    return blindness;
  }

  @Override
  public List<Sighting> sample() throws SignalException, InterruptedException {
    try {
      BoardView view = ask();
      long now = deployment.agent().now();
      blindness = blindness(view);
      hear(view, now);
      return sightings(view, now);
    } catch (NoSuchFileException e) {
      throw lost(BoardLink.none(files), e);
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw lost(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }
  }

  private SignalException lost(String why, Exception e) {
    LOG.debug("the board is not heard", e);
    link.disconnect();
    open = Set.of();
    deployment.agent().execute(() -> deployment.control().loseBoard());
    return e instanceof NoSuchFileException
        ? SignalException.absent(why)
        : SignalException.failed(why);
  }

  private BoardView ask()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Connection connected = link.connection();
    fileSystem = fileSystem.isEmpty() ? FileSystemName.of(origin) : fileSystem;
    BoardRounds.Told told =
        CompletableFuture.supplyAsync(
                () -> deployment.control().toldToBoard(), deployment.agent()::execute)
            .get(BoardLink.DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    return BoardLink.ask(connected, new AskBoard(told.bytes(), told.stamp(), fileSystem));
  }

  /** A board none of whose sources sees anything is as good as none. */
  static Blindness blindness(BoardView view) {
    var polled = view.sources().stream().filter(s -> !s.name().equals("announced")).toList();
    String blind =
        polled.stream()
            .filter(s -> !s.state().equals("fresh"))
            .map(s -> s.name() + " is " + s.state())
            .collect(Collectors.joining(", "));
    boolean sees = polled.stream().map(WatchedSource::state).anyMatch("fresh"::equals);
    return blind.isEmpty() && sees
        ? Blindness.NONE
        : new Blindness("on the board " + (blind.isEmpty() ? "is no source" : blind), !sees);
  }

  private void hear(BoardView view, long now) {
    othersMoved = ByteCounts.sum(othersMoved, view.othersMoved());
    others.noteMoved(view.othersMoved(), deployment.heardBytesPerSecond(), now);
    long moved = othersMoved;
    boolean loads = others.heard(now);
    var forecasts = view.forecasts().stream().map(f -> forecast(f, now)).toList();
    deployment
        .agent()
        .execute(
            () -> {
              deployment.control().hearBoard(view.stamp(), view.sharers(), forecasts);
              if (moved > 0) {
                deployment.control().observeNeighbour(NAME, moved, now - LAG.toNanos());
              }
              // Also of a silent one: then a rise waits until the board could have told of others.
              deployment.control().noteNeighbour(NAME, loads);
            });
  }

  private static Forecast forecast(ExpectedPhase f, long now) {
    return new Forecast(
        f.application(),
        now + TimeUnit.MILLISECONDS.toNanos(f.fromMillis()),
        now + TimeUnit.MILLISECONDS.toNanos(f.beginMillis()),
        now + TimeUnit.MILLISECONDS.toNanos(f.untilMillis()),
        TimeUnit.MILLISECONDS.toNanos(f.lengthMillis()),
        f.confidence());
  }

  private List<Sighting> sightings(BoardView view, long now) {
    var sightings = new ArrayList<Sighting>();
    var names = new HashSet<String>();
    for (OpenPhase phase : view.phases()) {
      boolean known = open.contains(phase.application());
      long from = known ? askedAt : now - TimeUnit.MILLISECONDS.toNanos(phase.ageMillis());
      double bytes = phase.bytesPerSecond() * ((now - from) / 1e9);
      if (names.add(phase.application())) {
        sightings.add(
            new Sighting(phase.application(), from, now, (long) bytes, true, phase.confidence()));
      }
    }
    open = names;
    askedAt = now;
    return sightings;
  }

  @Override
  public void close() {
    link.close();
  }
}
