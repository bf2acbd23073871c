package io.eley.controller.board;

import io.eley.controller.loop.Timeline;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.controller.watch.WatchOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongToDoubleFunction;

/** A board, its counters, deployments and an application, in steps of a millisecond. */
final class VirtualSite implements Timeline, BoardLoop.Listener {
  static final long MS = 1_000_000;

  final List<String> opened = new ArrayList<>();
  final List<String> disbelieved = new ArrayList<>();
  final BoardLoop board;
  private final Random random;
  private final List<Deployment> deployments = new ArrayList<>();

  /** Bytes a second of an application that is no deployment's, by milliseconds. */
  private LongToDoubleFunction application = ms -> 0;

  private double total;
  private double counted;
  private long countedAt;
  private boolean closely;
  private long ms = 10_000;

  VirtualSite(long seed, boolean showsAll) {
    random = new Random(seed);
    board = new BoardLoop(WatchOptions.DEFAULT, this, showsAll, this);
    board.add(
        SourceKind.sampled("counters", 0.8, Duration.ofSeconds(1), Duration.ofSeconds(7))
            .ofTotals());
    board.onCloseLook(wanted -> closely = wanted);
    countedAt = ms;
  }

  /** A deployment that moves what it is told to, and says what it is told to say. */
  final class Deployment {
    final Asker asker;
    LongToDoubleFunction moves = at -> 0;
    LongToDoubleFunction lies = at -> 0;
    boolean silent;
    BoardAnswer answer = new BoardAnswer(0, List.of(), List.of(), List.of(), 0, 1);
    long othersMoved;
    private double claimed = 7e9;
    private double sum = claimed;
    private long sumAt;
    private long nextWord;
    private long stamp;

    private Deployment(Asker asker) {
      this.asker = asker;
    }

    private void step() {
      double moved = moves.applyAsDouble(ms) / 1e3;
      total += moved;
      claimed += moved + lies.applyAsDouble(ms) / 1e3;
      if (ms == sumAt) {
        sum = claimed;
      }
      if (ms >= nextWord && !silent) {
        answer = board.answer(asker, (long) sum, stamp);
        othersMoved += answer.othersMoved();
        stamp = answer.stamp();
        sumAt = ms + 1 + random.nextInt(100);
        nextWord = ms + 150 + random.nextInt(20);
      }
    }

    List<String> phases() {
      return answer.phases().stream().map(p -> p.evidence().application()).toList();
    }
  }

  Deployment deployment(String user, String key) {
    var deployment = new Deployment(new Asker(key, user));
    deployments.add(deployment);
    return deployment;
  }

  void application(LongToDoubleFunction bytesPerSecond) {
    application = bytesPerSecond;
  }

  long millis() {
    return ms;
  }

  void run(long millis) {
    for (long until = ms + millis; ms < until; ms++) {
      deployments.forEach(Deployment::step);
      total += application.applyAsDouble(ms) / 1e3;
      if (ms - countedAt >= (closely ? 250 : 1000)) {
        long bytes = (long) total - (long) counted;
        var seen = new Sighting(Evidence.SOMEBODY, countedAt * MS, ms * MS, bytes, false);
        counted = total;
        countedAt = ms;
        board.observe("counters", List.of(seen));
      }
      if (ms % 100 == 0) {
        board.tick();
      }
    }
  }

  /** Bursts of up to so many bytes a second, like those of prefetching. */
  LongToDoubleFunction bursts(double most) {
    double[] rate = {0};
    return at -> {
      if (at % 70 == 0 && random.nextInt(5) == 0) {
        rate[0] = random.nextInt(3) == 0 ? 0 : most * random.nextDouble();
      }
      return rate[0];
    };
  }

  @Override
  public long now() {
    return ms * MS;
  }

  @Override
  public Instant timeOfDay() {
    return Instant.EPOCH.plusMillis(ms);
  }

  @Override
  public void after(Duration delay, Runnable work) {
    throw new AssertionError("the board plans nothing");
  }

  @Override
  public void opened(Evidence phase) {
    opened.add(phase.application());
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {}

  @Override
  public void disbelieved(String user) {
    disbelieved.add(user);
  }
}
