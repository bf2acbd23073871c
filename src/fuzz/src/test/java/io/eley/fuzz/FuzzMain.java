package io.eley.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Fuzzes targets side by side and prints a line for each: {@code FuzzMain SECONDS JOBS}. The
 * seconds are those of the whole run. The system property {@code eley.fuzz.targets} chooses targets
 * by their simple names, with commas between them. The exit code is 1 when a rule was broken.
 */
final class FuzzMain {
  private FuzzMain() {}

  public static void main(String[] args) throws Exception {
    int jobs = Integer.parseInt(args[1]);
    List<Class<?>> targets = chosen(System.getProperty("eley.fuzz.targets", ""));
    long each = Math.max(1, Long.parseLong(args[0]) * jobs / targets.size());
    boolean clean = print(run(targets, jobs, each), each);
    if (!clean) {
      System.exit(1);
    }
  }

  private static List<Class<?>> chosen(String names) {
    List<String> wanted = List.of(names.split(",", -1));
    List<Class<?>> chosen =
        Targets.ALL.stream()
            .filter(t -> names.isBlank() || wanted.contains(t.getSimpleName()))
            .toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException("no target is called " + names);
    }
    return chosen;
  }

  private static List<FuzzRun.Result> run(List<Class<?>> targets, int jobs, long each)
      throws Exception {
    Path work = Path.of("target", "fuzz").toAbsolutePath();
    var tasks = new ArrayList<Callable<FuzzRun.Result>>();
    for (Class<?> target : targets) {
      tasks.add(new FuzzRun(target, each, work.resolve(target.getSimpleName()))::run);
    }
    var workers = Executors.newFixedThreadPool(jobs);
    try {
      var results = new ArrayList<FuzzRun.Result>();
      for (Future<FuzzRun.Result> done : workers.invokeAll(tasks)) {
        results.add(done.get());
      }
      return results;
    } finally {
      workers.shutdownNow();
    }
  }

  private static boolean print(List<FuzzRun.Result> results, long each) {
    boolean clean = true;
    for (FuzzRun.Result result : results) {
      clean &= result.findings().isEmpty();
      System.out.printf(
          Locale.ROOT,
          "%-22s %4d s %10d executions %7d a second  %5d edges %6d features  %s%n",
          result.target().getSimpleName(),
          each,
          result.executions(),
          result.executions() / each,
          result.coverage(),
          result.features(),
          result.findings().isEmpty() ? "no finding" : result.findings());
    }
    return clean;
  }
}
