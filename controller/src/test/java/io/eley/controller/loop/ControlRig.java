package io.eley.controller.loop;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.Settings;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A control loop on virtual time, whose listener remembers. */
final class ControlRig implements ControlListener {
  static final Duration LEASE = Duration.ofMinutes(5);
  static final long MS = 1_000_000;

  final FakeTimeline timeline = new FakeTimeline();
  final List<Evidence> opened = new ArrayList<>();
  final List<Ending> closed = new ArrayList<>();
  final List<Decision> decisions = new ArrayList<>();
  final List<PhaseEntry> entries = new ArrayList<>();
  final List<HoldState> answers = new ArrayList<>();
  PlanFigures figures = PlanFigures.NOTHING;
  int figuresAsked;
  final ControlLoop loop;

  /**
   * With these settings beside the defaults, as key and value; without carrier sense unless they
   * turn it on, since these nodes do not say how long their reads take.
   */
  ControlRig(BufferMode mode, String... settings) {
    Map<String, String> values = new HashMap<>();
    values.put("eley.signal.reads", "false");
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    loop =
        new ControlLoop(
            ControlOptions.from(Settings.of(values), mode), timeline, this::figures, this);
  }

  /**
   * One that scales down by a tenth at most, with Slurm, and three protected phases of climate
   * known, which moves 20 MB/s of an origin's 100; with these settings, too.
   */
  static ControlRig thatScalesDown(String... settings) {
    var all = new ArrayList<>(List.of(settings));
    all.addAll(List.of("eley.operator", "scale-down", "eley.operator.max-slowdown", "0.1"));
    var rig = new ControlRig(BufferMode.ADAPTIVE, all.toArray(String[]::new));
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.loop.learn(List.of(alone("everybody", 100e6)));
    rig.loop.learn(Collections.nCopies(3, alone("climate", 20e6)));
    return rig;
  }

  /** A phase of 10 s that was protected, on an origin that moves 100 MB/s. */
  static PhaseEntry alone(String application) {
    return alone(application, 100e6);
  }

  private static PhaseEntry alone(String application, double bytesPerSecond) {
    return new PhaseEntry(
        application,
        "announced",
        Instant.EPOCH,
        Duration.ofSeconds(10),
        Optional.empty(),
        Optional.empty(),
        Optional.of(bytesPerSecond),
        new PhaseEntry.Hold(1, 1, false, Optional.empty()),
        Map.of(),
        0,
        "full-delay",
        "full delay for " + application,
        PhaseEntry.Observed.exactly("ANNOUNCED"));
  }

  /** A node prefetches so many bytes in each tick while more fetches wait. */
  void fetch(FakeBufferNode node, long millis, long bytesInTick) {
    for (long passed = 0; passed < millis; passed += ControlLoop.TICK.toMillis()) {
      node.movesOn(bytesInTick, 3);
      run(ControlLoop.TICK.toMillis());
    }
  }

  private PlanFigures figures() {
    figuresAsked++;
    return figures;
  }

  /** A node that has joined and confirms so many milliseconds after each permit. */
  FakeBufferNode node(String name, long confirmsAfterMillis) {
    var node = new FakeBufferNode(name);
    node.confirmTo(loop, timeline, confirmsAfterMillis);
    loop.join(node);
    timeline.settle();
    return node;
  }

  /** A node that has joined and says nothing. */
  FakeBufferNode silentNode(String name) {
    var node = new FakeBufferNode(name);
    loop.join(node);
    return node;
  }

  void begin(String application) {
    loop.begin(application, LEASE, answers::add);
  }

  /** Lets time pass in ticks, as an owner of the loop does. */
  void run(long millis) {
    long tick = ControlLoop.TICK.toMillis();
    for (long passed = 0; passed < millis; passed += tick) {
      timeline.advance(Math.min(tick, millis - passed));
      loop.tick();
    }
    timeline.settle();
  }

  /** What a source saw of one application in the milliseconds that ended just now. */
  void saw(String source, String application, long millis, long bytes) {
    long now = timeline.now();
    loop.observe(source, List.of(new Sighting(application, now - millis * MS, now, bytes, false)));
  }

  @Override
  public void opened(Evidence phase) {
    opened.add(phase);
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    closed.add(why);
  }

  @Override
  public void decided(Decision decision) {
    decisions.add(decision);
  }

  @Override
  public void recorded(PhaseEntry entry) {
    entries.add(entry);
  }
}
