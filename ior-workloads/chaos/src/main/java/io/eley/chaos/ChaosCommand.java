package io.eley.chaos;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.chaos.ChaosExperiment.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley chaos}: readers compare every byte while a deployment is treated badly. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Kills, freezes and damages a deployment's real processes while readers compare every byte.",
      "Exit code 1 when a byte was wrong, a read failed, or a reader stood still for too long."
    })
public final class ChaosCommand implements Callable<Integer> {
  private static final int SHOWN = 5;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "20",
      description = "runs, each with files and faults of its own (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "of the first run; the others count on from it (default: a random one)")
  private @Nullable Long seed;

  @Option(
      names = "--standstill",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "how long a read may take at most (default: ${DEFAULT-VALUE})")
  private double standstill;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    long first = seed == null ? System.nanoTime() >>> 16 : seed;
    PrintWriter out = spec.commandLine().getOut();
    out.println("seeds " + first + " to " + (first + runs - 1) + " (--seed)");
    out.flush();
    try {
      Outcome outcome = run(first);
      print(out, outcome);
      return outcome.good() && longest(outcome) <= standstill ? 0 : 1;
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
    }
  }

  private Outcome run(long first) throws IOException, InterruptedException {
    try (ProgressBar bar = bar()) {
      return new ChaosExperiment(runs, first, (number, runSeed, found) -> bar.step()).run();
    }
  }

  private ProgressBar bar() {
    return new ProgressBarBuilder()
        .setTaskName("runs")
        .setInitialMax(runs)
        .setConsumer(new ConsoleProgressBarConsumer(new PrintStream(System.err, true)))
        .build();
  }

  private static double longest(Outcome outcome) {
    return outcome.found().standstillMillis(100) / 1e3;
  }

  private static void print(PrintWriter out, Outcome outcome) {
    Findings found = outcome.found();
    String faults =
        outcome.faults().entrySet().stream()
            .map(e -> e.getValue() + " × " + e.getKey().words())
            .collect(Collectors.joining(", "));
    out.printf(
        Locale.ROOT,
        "%d runs: %d reads of %.1f MiB, %d streams of replaced files closed%n",
        outcome.runs(),
        found.reads(),
        found.bytes() / 1048576.0,
        found.replaced());
    out.printf("faults: %s%n", faults);
    out.printf(
        Locale.ROOT,
        "standstill of one call: median %.1f ms, 99 %% %.1f ms, longest %.2f s (seed %d)%n",
        found.standstillMillis(50),
        found.standstillMillis(99),
        longest(outcome),
        outcome.worstSeed());
    out.printf(
        Locale.ROOT,
        "all nodes back after a run: %.1f s at most%n",
        outcome.recovery().toMillis() / 1e3);
    show(out, "wrong bytes", found.wrong());
    show(out, "failed reads", found.failed());
    if (!outcome.missing().isEmpty()) {
      out.println(outcome.missing());
    }
    out.flush();
  }

  private static void show(PrintWriter out, String what, List<String> lines) {
    out.printf("%s: %d%n", what, lines.size());
    lines.stream().limit(SHOWN).forEach(line -> out.println("  " + line));
    if (lines.size() > SHOWN) {
      out.printf("  … and %d more%n", lines.size() - SHOWN);
    }
  }
}
