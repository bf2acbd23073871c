package io.eley.coordinator.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.BoardMessage.BoardView;
import io.eley.bb.api.wire.BoardMessage.OpenPhase;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.net.FrameServer;
import io.eley.bb.server.net.FrameServerOptions;
import io.eley.bb.server.net.IoThreads;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.net.SessionHandler;
import io.eley.controller.loop.BufferNode;
import io.eley.controller.loop.ControlListener;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.loop.ControlOptions;
import io.eley.controller.loop.PlanFigures;
import io.eley.controller.phase.Evidence;
import io.eley.coordinator.agent.Agent;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.scheduler.hooks.signal.SignalException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A deployment that reads, and another user's of which only a board tells. Time is virtual, but for
 * the answers of the board.
 */
@Timeout(120)
class BoardSamplerTest {
  private static final long MS = 1_000_000;
  private static final int CHUNK = 1 << 20;
  private static final int FAST = 20;
  private static final int SLOW = 60;

  /** Between two questions to the board. */
  private static final int ASKED_EACH = 150;

  /** What the other deployment has moved is known to the board so much later. */
  private static final long KNOWN_AFTER = 300;

  private static final int TRIES = 10;

  @TempDir Path temporary;

  private final AtomicLong clock = new AtomicLong(3_600_000 * MS);
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Agent agent = new Agent(thread, clock::get, Instant::now);
  private final Phases phases = new Phases();
  private final Obeying node = new Obeying();
  private final IoThreads network = IoThreads.of("a-board", 1);
  private final OtherUser other = new OtherUser();
  private ControlLoop control;
  private BoardSampler sampler;
  private BoardDirectory directory;
  private TokenRing tokens;
  private FrameServer board;
  private long askedAt;

  @BeforeEach
  void start() throws Exception {
    var options = ControlOptions.from(Settings.of(Map.of()), BufferMode.FULL_DELAY);
    control = new ControlLoop(options, agent, () -> PlanFigures.NOTHING, phases);
    var files = new BoardFiles(temporary.resolve("board"));
    directory = BoardDirectory.claim(files);
    tokens = new TokenRing(files);
    board =
        FrameServer.start(
            new FrameServerOptions("127.0.0.1", 0, "a-board"),
            network,
            new FrameServer.Keys(new Credentials(Secret.random(), Identity.BOARD), tokens),
            other);
    directory.publish("127.0.0.1:" + board.port());
    sampler =
        new BoardSampler(
            files,
            temporary.toString(),
            NetworkProtection.AUTO,
            new BoardSampler.Deployment(
                agent, control, options.watch().thresholds().openBytesPerSecond()));
    onThread(
        () -> {
          control.add(sampler.kind(BoardSampler.TIMING));
          control.join(node);
        });
  }

  @AfterEach
  void stop() throws Exception {
    sampler.close();
    board.close();
    network.close();
    tokens.close();
    directory.close();
    thread.shutdownNow();
  }

  /** Says what the other deployment had moved, as a board does, a while ago. */
  private final class OtherUser implements SessionHandler {
    private final AtomicLong bytesPerSecond = new AtomicLong();
    private final AtomicLong changedAt = new AtomicLong();
    private long toldUntil = clock.get();
    private volatile List<OpenPhase> told = List.of();

    void tells(String... applications) {
      told = Stream.of(applications).map(a -> new OpenPhase(a, "slurm", 0.95, 100, 0)).toList();
    }

    void moves(long rate) {
      bytesPerSecond.set(rate);
      changedAt.set(clock.get());
    }

    @Override
    public synchronized void received(Session session, long correlation, Message message) {
      long until = clock.get() - KNOWN_AFTER * MS;
      long from = Math.max(toldUntil, changedAt.get());
      toldUntil = Math.max(toldUntil, until);
      long moved = Math.round(Math.max(0, until - from) / 1e9 * bytesPerSecond.get());
      session.reply(correlation, new BoardView(clock.get(), told, List.of(), List.of(), moved, 2));
    }

    @Override
    public void opened(Session session) {}

    @Override
    public void closed(Session session) {}
  }

  /** A node that does nothing but what the test says that it does. */
  private static final class Obeying implements BufferNode {
    @Override
    public NodeId id() {
      return new NodeId("n");
    }

    @Override
    public void grant(Permit permit) {}

    @Override
    public void free(List<BlockId> blocks) {}

    @Override
    public void fetch(List<BlockPart> parts) {}
  }

  private static final class Phases implements ControlListener {
    private final List<Evidence> opened = new CopyOnWriteArrayList<>();

    @Override
    public void opened(Evidence phase) {
      opened.add(phase);
    }

    @Override
    public void closed(Evidence phase, long at, Ending why) {}

    @Override
    public void decided(Decision decision) {}

    @Override
    public void recorded(PhaseEntry entry) {}
  }

  private void onThread(Runnable work) throws Exception {
    CompletableFuture.runAsync(work, agent::execute).get(60, TimeUnit.SECONDS);
  }

  /** On a machine that is busy the board may be late, which is not what is tested. */
  private void ask() throws Exception {
    askedAt = clock.get();
    for (int tries = 1; ; tries++) {
      try {
        var seen = sampler.sample();
        onThread(() -> control.observe(BoardSampler.NAME, seen));
        return;
      } catch (SignalException e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Reads for some time, chunk by chunk, while the board is asked if it is there. */
  private void read(long millis, int took, double underWay, boolean asks) throws Exception {
    for (long until = clock.get() + millis * MS; clock.get() < until; ) {
      clock.addAndGet(took * MS);
      onThread(
          () -> {
            var read = new ReadTime(0, took * MS, CHUNK, underWay);
            control.observeReads(node.id(), List.of(read), List.of());
            control.tick();
          });
      if (asks && clock.get() - askedAt >= ASKED_EACH * MS) {
        ask();
      }
    }
    onThread(() -> {}); // what was heard last
  }

  /** What single reads take, and four at once. */
  private void learn() throws Exception {
    read(1000, FAST, 1, true);
    read(1000, 4 * FAST, 4, true);
    assertThat(phases.opened).isEmpty();
  }

  @Test
  void whatOthersReadOfWhomTheBoardTellsIsNobodysPhase() throws Exception {
    learn();
    other.moves(500_000_000);
    read(400, 4 * SLOW, 4, true);
    read(10_000, SLOW, 1, true);
    assertThat(phases.opened).isEmpty();

    other.moves(0);
    read(3000, FAST, 1, true);
    assertThat(phases.opened).isEmpty();
  }

  @Test
  void besideOthersThatAreSilentWhoeverMakesReadsSlowIsSomebody() throws Exception {
    learn();
    other.moves(500_000_000);
    read(2000, SLOW, 1, true);
    other.moves(0);
    read(3000, FAST, 1, true);
    assertThat(phases.opened).isEmpty();

    read(3000, SLOW, 1, true);
    assertThat(phases.opened).extracting(Evidence::source).containsExactly("reads");
  }

  /** Its last word counts for three seconds; then nobody knows of others any more. */
  @Test
  void aBoardThatGoesAwayTakesItsWordOfOthersWithIt() throws Exception {
    learn();
    other.moves(500_000_000);
    read(3000, SLOW, 1, true);
    board.close();
    assertThatThrownBy(this::ask).isInstanceOf(SignalException.class);
    read(2500, SLOW, 1, false);
    assertThat(phases.opened).as("for three seconds").isEmpty();

    read(500, FAST, 1, false);
    read(3000, SLOW, 1, false);
    assertThat(phases.opened).extracting(Evidence::source).containsExactly("reads");
  }

  @Test
  void whomTheBoardTellsBesideOnesOwnJobIsHeldForWhenThatIsOver() throws Exception {
    learn();
    other.tells("ior@alice#1", Evidence.SOMEBODY);
    read(1000, FAST, 1, true);
    assertThat(held()).containsExactly("ior@alice#1", Evidence.SOMEBODY);
    other.tells(Evidence.SOMEBODY);
    for (int i = 0; i < 2000 / ASKED_EACH; i++) {
      read(ASKED_EACH, FAST, 1, true);
      assertThat(held()).contains(Evidence.SOMEBODY);
    }
    assertThat(held()).containsExactly(Evidence.SOMEBODY);
  }

  private List<String> held() throws Exception {
    var open = new CopyOnWriteArrayList<String>();
    onThread(() -> control.openPhases().forEach(phase -> open.add(phase.application())));
    return open;
  }
}
