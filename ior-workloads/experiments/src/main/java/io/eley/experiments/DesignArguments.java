package io.eley.experiments;

import io.eley.bb.api.config.DataSize;
import io.eley.ior.SizeConverter;
import io.eley.workloads.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What of a design can be chosen on the command line; what is not chosen stays as it is. */
final class DesignArguments {
  @Option(
      names = "--systems",
      paramLabel = "NAME",
      split = ",",
      description = "only these of the experiment's systems, such as NaiveBB,FullDelay/own-reads")
  private List<String> systems = List.of();

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      split = ",",
      description = "Spark's side, WordCount, Sort, Scan, in place of the experiment's")
  private List<String> workloads = List.of();

  @Option(
      names = "--input",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "bytes of Spark's input (default: 1g)")
  private @Nullable DataSize input;

  @Option(
      names = "--compute",
      paramLabel = "MILLIS",
      description = "a task's computing for each MiB, besides its own (default: 150)")
  private @Nullable Integer compute;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "RAM of each node (default: 768m, overflow: 64m)")
  private @Nullable DataSize memory;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "what each IOR task writes in a phase")
  private @Nullable DataSize block;

  @Option(names = "--phases", paramLabel = "N", description = "of each HPC application")
  private @Nullable Integer phases;

  /**
   * The design as it was asked for.
   *
   * @throws IllegalArgumentException for a system that it does not have or the site cannot run, a
   *     workload that there is not, a number that is none of something
   */
  Design applyTo(Design standard, Site site) {
    requireNumbers();
    var design = standard;
    if (!systems.isEmpty()) {
      requireThere(standard);
      var chosen =
          design.trials().stream().filter(t -> systems.contains(t.subject().label())).toList();
      chosen.forEach(trial -> requirePossible(trial, site));
      design = design.withTrials(chosen);
    }
    if (!workloads.isEmpty()) {
      design = design.withWorkloads(workloads.stream().map(Workload::of).distinct().toList());
    }
    var sizes = design.sizes();
    sizes = input == null ? sizes : sizes.withInput(input);
    sizes = compute == null ? sizes : sizes.withCompute(compute);
    sizes = memory == null ? sizes : sizes.withMemory(memory);
    return design
        .withSizes(sizes)
        .withApplications(design.applications().stream().map(this::applyTo).toList());
  }

  private void requireNumbers() {
    if (phases != null && phases < 1) {
      throw new IllegalArgumentException("--phases " + phases + ": must be 1 or more");
    }
    if (compute != null && compute < 0) {
      throw new IllegalArgumentException("--compute " + compute + ": must be 0 or more");
    }
  }

  /** What was not asked for by its name is left out instead. */
  private static void requirePossible(Trial trial, Site site) {
    String missing = trial.missing(site);
    if (missing != null) {
      throw new IllegalArgumentException(trial.subject().label() + " needs " + missing);
    }
  }

  private void requireThere(Design standard) {
    var there = standard.trials().stream().map(t -> t.subject().label()).toList();
    for (String system : systems) {
      if (!there.contains(system)) {
        throw new IllegalArgumentException(
            "no system '" + system + "'; there are " + String.join(", ", there));
      }
    }
  }

  private HpcApplication applyTo(HpcApplication standard) {
    var application = block == null ? standard : standard.withBlock(block);
    return phases == null ? application : application.withPhases(phases);
  }
}
