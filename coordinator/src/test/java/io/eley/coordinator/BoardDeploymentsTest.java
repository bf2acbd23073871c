package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport.SourceReport;
import io.eley.coordinator.board.BoardOptions;
import io.eley.coordinator.board.BoardServer;
import io.eley.coordinator.ledger.LedgerFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Two deployments that see nothing by themselves, and a board that reads counters for both. What
 * they see is judged, not what else the machine does: where that made a tick late, it is tried
 * again.
 */
@Tag("timing")
@Timeout(360)
@Isolated("it judges time")
class BoardDeploymentsTest {
  private static final long MIB = 1 << 20;
  private static final Duration LONG = Duration.ofSeconds(40);
  private static final int ATTEMPTS = 3;
  private static final int TICK_MILLIS = 50;

  /** Later than this, what was read and what counters show are further apart than they ever are. */
  private static final Duration LATE = Duration.ofMillis(200);

  @TempDir Path temporary;

  private final AtomicLong eleys = new AtomicLong();
  private final AtomicLong foreign = new AtomicLong();
  private final AtomicLong ticks = new AtomicLong();
  private volatile boolean reading = true;
  private volatile boolean foreigners;

  /** Where the attempt has its files. */
  private Path place = Path.of("");

  private volatile long tickedAt;

  /** Whether the machine has let a tick be late. */
  private volatile boolean late;

  private BoardServer board(Path origin) throws EleyException {
    var settings =
        Settings.of(Map.of("eley.signal.counters", "file:" + place.resolve("bytes")), line -> {});
    return BoardServer.start(
        BoardOptions.from(
            new BoardOptions.Publication(place.resolve("board"), origin, false),
            new BoardOptions.Listen("127.0.0.1", 0),
            settings));
  }

  private TestDeployment deployment(String name, String... more) throws Exception {
    var keys = new java.util.ArrayList<String>(java.util.List.of(more));
    keys.addAll(
        java.util.List.of(
            "eley.signal.board", place.resolve("board").toString(), "eley.signal.reads", "false"));
    return new TestDeployment(
        place.resolve(name), BufferMode.FULL_DELAY, keys.toArray(String[]::new));
  }

  /** 60 MiB/s of the reader for 2 s each 5 s, and of foreigners when they are there. */
  private void tick(FakeNode reader) {
    try {
      long now = System.nanoTime();
      if (tickedAt != 0 && now - tickedAt > LATE.plusMillis(TICK_MILLIS).toNanos()) {
        late = true;
      }
      tickedAt = now;
      long tick = ticks.getAndIncrement();
      if (reading && tick % 100 >= 60) {
        eleys.addAndGet(3 * MIB);
      }
      if (foreigners) {
        foreign.addAndGet(3 * MIB);
      }
      reader.hasRead(eleys.get());
      Path next = place.resolve("next");
      Files.writeString(next, (eleys.get() + foreign.get()) + "\n");
      Files.move(next, place.resolve("bytes"), StandardCopyOption.ATOMIC_MOVE);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static SourceReport board(TestDeployment of) throws Exception {
    return of.report().control().sources().stream()
        .filter(s -> s.name().equals("board"))
        .findFirst()
        .orElseThrow();
  }

  private static boolean is(TestDeployment of, String state) throws Exception {
    return board(of).state().equals(state);
  }

  private static int phases(TestDeployment of) throws Exception {
    return new LedgerFile(of.directory).read().size();
  }

  /**
   * What the deployments saw.
   *
   * @param ofOurs phases in three bursts of ours
   * @param held whether somebody's phase closed the permit
   * @param toOther phases of all the time, to the one that reads nothing
   * @param toReader and to the other one
   */
  private record Outcome(int ofOurs, boolean held, int toOther, int toReader) {
    private static final Outcome PROMISED = new Outcome(0, true, 1, 1);
  }

  @Test
  void theBoardTellsPhasesAndNobodysTrafficOfOursIsOne() throws Exception {
    Outcome outcome = besideABoard("1");
    for (int i = 2; i <= ATTEMPTS && late && !outcome.equals(Outcome.PROMISED); i++) {
      outcome = besideABoard("" + i);
    }
    assertThat(outcome).isEqualTo(Outcome.PROMISED);
  }

  private Outcome besideABoard(String attempt) throws Exception {
    place = Files.createDirectory(temporary.resolve(attempt));
    tickedAt = 0;
    late = false;
    reading = true;
    ticks.set(0);
    eleys.set(0);
    foreign.set(0);
    Files.writeString(place.resolve("bytes"), "0\n");
    Outcome outcome;
    var clock = Executors.newSingleThreadScheduledExecutor();
    try (var reads = deployment("reads");
        var other = deployment("other")) {
      await().until(() -> other.report().permitReason().contains("nobody can see phases"));
      await().until(() -> board(other).message().startsWith("no board is published in"));
      var board = board(other.origin);
      FakeNode reader = reads.node("r", 5001);
      FakeNode second = other.node("s", 5002);
      reader.register();
      second.register();
      var unused =
          clock.scheduleWithFixedDelay(() -> tick(reader), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
      await().atMost(LONG).until(() -> is(reads, "fresh") && is(other, "fresh"));
      long bursts = ticks.get() + 300;
      await().atMost(LONG).until(() -> ticks.get() > bursts);
      int ofOurs = phases(other) + phases(reads);
      await().until(() -> second.permit.permit().prefetch().equals(new Lane(Lane.UNLIMITED, 2)));
      await().until(() -> other.report().permitReason().equals("no phase"));

      int changes = second.changes.size();
      long begun = System.nanoTime();
      foreigners = true;
      await().atMost(LONG).until(() -> other.report().openPhases().contains("somebody"));
      await().until(() -> second.permit.permit().prefetch().equals(Lane.CLOSED));
      var held = second.changes.get(changes);
      System.out.printf(
          "a phase that the board's counters see: held after %d ms%n",
          TimeUnit.NANOSECONDS.toMillis(held.at() - begun));
      reading = false;
      foreigners = false;
      await().atMost(LONG).until(() -> other.report().openPhases().isEmpty());
      await().atMost(LONG).until(() -> reads.report().openPhases().isEmpty());
      await().atMost(LONG).until(() -> phases(other) > 0 && phases(reads) > 0);
      outcome = new Outcome(ofOurs, held.closed(), phases(other), phases(reads));

      board.close();
      await().atMost(LONG).until(() -> is(other, "lost"));
      // what the permits say of it follows at the control loop's next look
      await().until(() -> other.report().permitReason().contains("no source sees phases"));
      try (var again = board(other.origin)) {
        await().atMost(LONG).until(() -> is(other, "fresh") && is(reads, "fresh"));
        assertThat(again.address().getPort()).isPositive();
      }
    } finally {
      clock.shutdownNow();
      assertThat(clock.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
    Path tokens = place.resolve("board/tokens");
    await().untilAsserted(() -> assertThat(tokens).as("tokens of who ended").isEmptyDirectory());
    assertThat(place.resolve("board/address")).doesNotExist();
    return outcome;
  }

  @Test
  void aBoardOfAnotherFileSystemAndOneWithoutEyesAreSaidToBe() throws Exception {
    place = temporary;
    try (var blind = board(temporary);
        var sees = deployment("sees");
        var elsewhere = deployment("elsewhere", "eley.coordinator.origin", "/proc")) {
      assertThat(blind.address().getPort()).isPositive();
      await().until(() -> board(elsewhere).message().startsWith("the board watches "));
      await().until(() -> board(sees).message().equals("on the board counters is absent"));
      assertThat(board(sees).state()).isEqualTo("absent");
      await().until(() -> sees.report().permitReason().contains("nobody can see phases"));
    }
  }
}
