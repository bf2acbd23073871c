package io.eley.chaos;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  /**
   * Runs it.
   *
   * @param work made for this, and removed at the end
   */
  Outcome run(Path work) throws IOException, InterruptedException {
    Optional<PrivateRam> own = PrivateRam.mount(work.resolve("ram"));
    try {
      try (var patient = Patient.start(work, work.resolve("ram"))) {
        return run(patient, own.isPresent());
      }
    } finally {
      if (own.isPresent()) {
        own.get().close();
      }
      deleteTree(work);
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

  private static void deleteTree(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
