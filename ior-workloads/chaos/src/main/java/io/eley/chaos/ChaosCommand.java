package io.eley.chaos;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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

  /** Told by the command to itself. */
  @Option(names = "--in-own-network", hidden = true)
  private boolean inOwnNetwork;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    try {
      return inOwnNetwork || !OwnNetwork.possible() ? experiment() : isolated();
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
    }
  }

  /** This command once more, where packets can be dropped. */
  private int isolated() throws IOException, InterruptedException {
    var words = new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
    words.add("--in-own-network");
    return Isolation.run(Patient.MAIN, words, spec.commandLine().getOut());
  }

  private int experiment() throws IOException, InterruptedException {
    if (inOwnNetwork) {
      OwnNetwork.prepare();
    }
    if (runs < 1) {
      throw new IllegalArgumentException("--runs " + runs + ": must be 1 or more");
    }
    long first = seed == null ? System.nanoTime() >>> 16 : seed;
    PrintWriter out = spec.commandLine().getOut();
    out.println("seeds " + first + " to " + (first + runs - 1) + " (--seed)");
    out.flush();
    Outcome outcome;
    try (ProgressBar bar = bar()) {
      outcome =
          new ChaosExperiment(runs, first, (run, found) -> tell(bar, out, run, found))
              .run(inOwnNetwork);
    }
    new OutcomeTable(out).print(first, outcome);
    return outcome.passed(standstill) ? 0 : 1;
  }

  /** At once, since somebody may end a long experiment before its summary. */
  private static void tell(ProgressBar bar, PrintWriter out, Schedule run, Findings found) {
    for (var lines : List.of(found.wrong(), found.failed(), found.slow())) {
      if (!lines.isEmpty()) {
        out.println("seed " + run.seed() + ": " + lines.get(0) + "; faults: " + run.events());
        out.flush();
      }
    }
    bar.setExtraMessage("seed " + run.seed());
    bar.step();
  }

  private ProgressBar bar() {
    return new ProgressBarBuilder()
        .setTaskName("runs")
        .setInitialMax(runs)
        .setConsumer(new ConsoleProgressBarConsumer(new PrintStream(System.err, true)))
        .build();
  }
}
