package io.eley.chaos;

import io.eley.local.deployment.Teardown;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Many runs on one deployment, each from a seed of its own. Blocks. */
final class ChaosExperiment {
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  /** Is notified after each run. */
  @FunctionalInterface
  interface Progress {
    void run(int number, long seed, Findings findings);
  }

  /**
   * What came of it.
   *
   * @param faults how often each happened
   * @param found by all readers
   * @param worstSeed of the run with the longest standstill
   * @param recovery the longest time until every node was back after a run
   * @param missing what this machine cannot do, in a sentence; empty when nothing is missing
   */
  record Outcome(
      int runs,
      Map<Fault, Integer> faults,
      Findings found,
      long worstSeed,
      Duration recovery,
      String missing) {
    /** Whether no byte was wrong and no read failed. */
    boolean good() {
      return found.wrong().isEmpty() && found.failed().isEmpty();
    }
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

  /** Runs it. However it ends, nothing of it is left: no process, no mount, no directory. */
  Outcome run() throws IOException, InterruptedException {
    try (var teardown = Teardown.onExit()) {
      Path work = teardown.start(WorkDirectory::create).path();
      var ram = teardown.start(() -> PrivateRam.create(work.resolve("ram")));
      var patient = Patient.start(work, ram.directory(), teardown);
      var working = teardown.add(new WorkingThread());
      try {
        return run(patient, ram.mounted());
      } finally {
        working.finish();
      }
    }
  }

  private Outcome run(Patient patient, boolean ownRam) throws IOException, InterruptedException {
    var possible = new ArrayList<>(List.of(Fault.values()));
    String missing = "";
    if (!ownRam) {
      possible.remove(Fault.FILL_RAM_DISK);
      missing = "a full RAM-disk was not tried: only root can mount one for it";
    }
    var all = new Findings();
    var faults = new EnumMap<Fault, Integer>(Fault.class);
    long worst = seed;
    double longest = -1;
    Duration recovery = Duration.ZERO;
    for (int i = 0; i < runs; i++) {
      var schedule = Schedule.of(seed + i, possible);
      Findings found = new ChaosRun(patient, schedule).run();
      schedule.events().forEach(e -> faults.merge(e.fault(), 1, Integer::sum));
      all.add(found);
      if (found.standstillMillis(100) > longest) {
        longest = found.standstillMillis(100);
        worst = seed + i;
      }
      Duration took = patient.awaitHealth(RECOVERY);
      recovery = took.compareTo(recovery) > 0 ? took : recovery;
      progress.run(i + 1, seed + i, found);
    }
    return new Outcome(runs, faults, all, worst, recovery, missing);
  }
}
