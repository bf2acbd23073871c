package io.eley.controller.sense;

import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * An origin as it was measured on an OrangeFS of four servers with two of our mounts: a mount moves
 * a chunk in 27 ms and shares its time among the chunks under way; beside a writer on every server
 * each takes 2.7 times as long. With a carrier sense that stops and tests as the control loop does.
 */
final class SensedOrigin implements PhaseListener {
  static final long MS = 1_000_000;
  private static final int NODES = 2;
  private static final double CHUNK_MILLIS = 27;

  /** A permit's way to a node and a report's way back. */
  private static final int DELAY_MILLIS = 6;

  final CarrierSense sense = new CarrierSense(this);
  final List<Felt> phases = new ArrayList<>();
  private final Random random;
  private final int fetchers;
  private final double noise;
  private final List<List<Chunk>> underWay = new ArrayList<>();
  private final PriorityQueue<Report> reports =
      new PriorityQueue<>(java.util.Comparator.comparingLong(Report::at));
  private final ArrayDeque<Long> tests = new ArrayDeque<>();
  CarrierSense.Others others = CarrierSense.Others.NONE;
  double slowdown = 1;

  /** Whether there is anything to read. */
  boolean wanted = true;

  long now;
  long heldMillis;
  long chunksWhileSlow;
  private final int[] useful = new int[NODES];
  private boolean open;
  private long laneChangesAt;
  private boolean laneOpen = true;
  private int nextNode;

  /** A phase as it was told, in milliseconds; it ends at -1 while it is open. */
  record Felt(long since, long end) {}

  private static final class Chunk {
    final long began;
    double together;
    double left;

    Chunk(long began, double left) {
      this.began = began;
      this.left = left;
    }
  }

  private record Report(long at, int node, long ended, long took, double together) {}

  SensedOrigin(long seed, int fetchers, double noise) {
    random = new Random(seed);
    this.fetchers = fetchers;
    this.noise = noise;
    for (int i = 0; i < NODES; i++) {
      underWay.add(new ArrayList<>());
    }
  }

  @Override
  public void opened(Evidence phase) {
    open = true;
    phases.add(new Felt(phase.since() / MS, -1));
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    open = false;
    int last = phases.size() - 1;
    phases.set(last, new Felt(phases.get(last).since, at / MS));
  }

  /** Lets so many milliseconds pass. */
  void pass(long millis) {
    for (long end = now + millis; now < end; now++) {
      step();
    }
  }

  /** Lets time pass until it has come to this state; returns the milliseconds. */
  long passUntil(CarrierSense.State state, long mostMillis) {
    long from = now;
    while (sense.state() != state && now - from < mostMillis) {
      pass(1);
    }
    return now - from;
  }

  private void step() {
    while (!reports.isEmpty() && reports.peek().at <= now) {
      Report r = reports.remove();
      sense.observe(
          "n" + r.node,
          List.of(
              new ReadTime(
                  (now - r.ended) * MS,
                  Math.max(1, r.took) * MS,
                  1 << 20,
                  Math.max(1, r.together))),
          now * MS);
    }
    if (now % 40 == 0) {
      reportUnderWay();
    }
    if (now % 200 == 0) {
      renewPermits();
    }
    sense.advance(others, now * MS);
    boolean mayRead = sense.state() == CarrierSense.State.CLEAR && !open && !others.expected();
    if (mayRead != laneOpen && laneChangesAt == 0) {
      laneChangesAt = now + DELAY_MILLIS;
    }
    if (laneChangesAt != 0 && now >= laneChangesAt) {
      laneOpen = mayRead;
      laneChangesAt = 0;
    }
    if (!laneOpen && sense.wantsTest(now * MS)) {
      sense.noteTest(now * MS);
      tests.add(now + DELAY_MILLIS);
    }
    heldMillis += laneOpen ? 0 : 1;
    begin();
    move();
  }

  private void renewPermits() {
    for (int node = 0; node < NODES; node++) {
      useful[node] = Math.min(fetchers, sense.useful("n" + node).orElse(fetchers));
    }
  }

  /** As nodes report it every 40 ms. */
  private void reportUnderWay() {
    for (int node = 0; node < NODES; node++) {
      var reads = new ArrayList<ReadTime>();
      for (Chunk chunk : underWay.get(node)) {
        long took = Math.max(1, now - chunk.began);
        reads.add(new ReadTime(0, took * MS, 1 << 20, Math.max(1, chunk.together / took)));
      }
      sense.observeUnderWay("n" + node, reads, now * MS);
    }
  }

  private void begin() {
    // A test waits until nothing else of its node is under way.
    if (!wanted) {
      return;
    }
    if (!tests.isEmpty() && now >= tests.peek() && underWay.get(nextNode % NODES).isEmpty()) {
      tests.remove();
      begin(nextNode++ % NODES);
    }
    for (int node = 0; laneOpen && node < NODES; node++) {
      int most = sense.learns("n" + node) ? 1 : useful[node];
      while (underWay.get(node).size() < most) {
        begin(node);
      }
    }
  }

  private void begin(int node) {
    var chunks = underWay.get(node);
    double work = CHUNK_MILLIS * Math.exp(noise * random.nextGaussian());
    chunks.add(new Chunk(now, work));
    chunksWhileSlow += slowdown > 1 ? 1 : 0;
  }

  private void move() {
    for (int node = 0; node < NODES; node++) {
      var chunks = underWay.get(node);
      int many = chunks.size();
      for (var each = chunks.iterator(); each.hasNext(); ) {
        Chunk chunk = each.next();
        chunk.left -= 1 / slowdown / many;
        chunk.together += many;
        if (chunk.left <= 0) {
          each.remove();
          reports.add(
              new Report(
                  now + DELAY_MILLIS,
                  node,
                  now,
                  now - chunk.began,
                  chunk.together / (now - chunk.began + 1)));
        }
      }
    }
  }
}
