package io.eley.chaos;

import io.eley.local.deployment.Teardown;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;

/** Many runs on one deployment, each from a seed of its own. Blocks. */
final class ChaosExperiment {
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  /** Is notified after each run. */
  @FunctionalInterface
  interface Progress {
    void run(Schedule schedule, Findings findings);
  }

  private final int runs;
  private final long seed;
  private final Progress progress;

  /**
   * An experiment that has not begun.
   *
   * @param seed of the first run; the others count on from it
   */
  ChaosExperiment(int runs, long seed, Progress progress) {
    this.runs = runs;
    this.seed = seed;
    this.progress = progress;
  }

  /**
   * Runs it. However it ends, nothing of it is left: no process, no mount, no directory.
   *
   * @param ownNetwork whether packets may be dropped: see {@link OwnNetwork}
   */
  Outcome run(boolean ownNetwork) throws IOException, InterruptedException {
    try (var teardown = Teardown.onExit()) {
      Path work = teardown.start(ChaosDirectory::create).path();
      var ram = teardown.start(() -> PrivateRam.create(work.resolve("ram")));
      var patient = Patient.start(work, ram.directory(), teardown);
      var working = teardown.add(new WorkingThread());
      try {
        return run(patient, ram.mounted(), ownNetwork);
      } finally {
        working.finish();
      }
    }
  }

  private Outcome run(Patient patient, boolean ownRam, boolean ownNetwork)
      throws IOException, InterruptedException {
    var possible = EnumSet.allOf(Fault.class);
    var missing = new ArrayList<String>();
    if (!ownRam) {
      possible.remove(Fault.FILL_RAM_DISK);
      missing.add("a full RAM-disk: only root can mount one for it");
    }
    if (!ownNetwork) {
      possible.removeAll(EnumSet.of(Fault.DROP_NODE, Fault.DROP_COORDINATOR));
      missing.add("dropped packets: only root can make a network for them, with unshare and ip");
    }
    if (!patient.hasClocks()) {
      possible.removeAll(EnumSet.of(Fault.SET_NODE_CLOCK, Fault.SET_COORDINATOR_CLOCK));
      missing.add("clocks that jump: libfaketime is not installed");
    }
    return run(patient, List.copyOf(possible), missing);
  }

  /** One for each run; behind the largest number comes the smallest. */
  static LongStream seeds(long first, int runs) {
    return LongStream.range(0, runs).map(run -> first + run);
  }

  private Outcome run(Patient patient, List<Fault> possible, List<String> missing)
      throws IOException, InterruptedException {
    var all = new Findings();
    var faults = new EnumMap<Fault, Integer>(Fault.class);
    long worst = seed;
    double longest = -1;
    Duration recovering = Duration.ZERO;
    Duration slowest = Duration.ZERO;
    patient.awaitHealth(RECOVERY);
    long began = System.nanoTime();
    for (var seeds = seeds(seed, runs).iterator(); seeds.hasNext(); ) {
      long next = seeds.nextLong();
      var schedule = Schedule.of(next, possible);
      Findings found = new ChaosRun(patient, schedule).run();
      schedule.events().forEach(e -> faults.merge(e.fault(), 1, Integer::sum));
      all.add(found);
      if (found.standstillMillis(100) > longest) {
        longest = found.standstillMillis(100);
        worst = next;
      }
      Duration took = patient.awaitHealth(RECOVERY);
      recovering = recovering.plus(took);
      slowest = took.compareTo(slowest) > 0 ? took : slowest;
      progress.run(schedule, found);
    }
    var took = Duration.ofNanos(System.nanoTime() - began);
    return new Outcome(
        faults, all, worst, new Outcome.Times(runs, took, recovering, slowest), missing);
  }
}
