package io.eley.experiments;

import io.eley.laboratory.RunProtocol;
import io.eley.report.PaperValue;
import io.eley.report.SeriesRow;
import io.eley.report.SeriesRun;
import io.eley.report.Verdict;
import io.eley.workloads.Workload;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * What an experiment runs.
 *
 * @param description one sentence
 * @param workloads in this order
 * @param trials of each workload, in this order
 * @param applications beside all of them
 * @param sizes on Spark's side
 * @param paper the paper's values beside ours
 * @param expected what is expected of the rows, of which there is one for each pair of workload and
 *     trial
 */
record Design(
    String description,
    List<Workload> workloads,
    List<Trial> trials,
    List<HpcApplication> applications,
    Sizes sizes,
    Function<List<SeriesRun>, List<PaperValue>> paper,
    Function<List<SeriesRow>, List<Verdict>> expected) {
  Design {
    workloads = List.copyOf(workloads);
    trials = List.copyOf(trials);
    applications = List.copyOf(applications);
  }

  Design withTrials(List<Trial> others) {
    return new Design(description, workloads, others, applications, sizes, paper, expected);
  }

  Design withWorkloads(List<Workload> others) {
    return new Design(description, others, trials, applications, sizes, paper, expected);
  }

  Design withApplications(List<HpcApplication> others) {
    return new Design(description, workloads, trials, others, sizes, paper, expected);
  }

  Design withSizes(Sizes others) {
    return new Design(description, workloads, trials, applications, others, paper, expected);
  }

  Design expecting(Function<List<SeriesRow>, List<Verdict>> others) {
    return new Design(description, workloads, trials, applications, sizes, paper, others);
  }

  /** The verdicts on these rows; what has none, because each of its runs failed, meets nothing. */
  List<Verdict> verdicts(List<SeriesRow> rows) {
    return expected.apply(
        workloads.stream()
            .flatMap(w -> trials.stream().map(t -> row(w.label(), t.subject().label(), rows)))
            .toList());
  }

  private static SeriesRow row(String workload, String system, List<SeriesRow> rows) {
    return rows.stream()
        .filter(row -> row.workload().equals(workload) && row.system().equals(system))
        .findFirst()
        .orElseGet(() -> SeriesRow.without(workload, system));
  }

  /** What this site can run of it. */
  Design possibleAt(Site site) {
    return withTrials(trials.stream().filter(t -> t.missing(site) == null).toList());
  }

  /**
   * Whether pauses are cut short where there is no Spark: nothing happens in an only application's.
   * Several keep their rhythms, by which they meet each other.
   */
  boolean hurriesAlone() {
    return applications.size() == 1;
  }

  /**
   * A run that takes longer hangs: twice what Spark's side and all applications need one after the
   * other on the slowest file system, for what tasks compute by themselves and what Sort writes.
   */
  Duration runBound() {
    var slowest = sizes.slowest();
    for (var application : applications) {
      slowest = slowest.plus(application.slowest());
    }
    return RunProtocol.USUAL_BOUND.plus(slowest.multipliedBy(2));
  }

  /** Hosts of IOR's tasks. */
  int iorHosts() {
    return applications.stream().mapToInt(a -> a.firstHost() + a.tasks()).max().orElse(0);
  }
}
