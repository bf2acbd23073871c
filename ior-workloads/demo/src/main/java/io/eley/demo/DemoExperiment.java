package io.eley.demo;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.laboratory.DeploymentLauncher;
import io.eley.laboratory.DeploymentRequest;
import io.eley.laboratory.ExperimentClock;
import io.eley.laboratory.Installation;
import io.eley.laboratory.LogKeeper;
import io.eley.laboratory.Progress;
import io.eley.laboratory.RunProtocol;
import io.eley.laboratory.Steps;
import io.eley.laboratory.WorkDirectory;
import io.eley.local.deployment.Teardown;
import io.eley.report.ExperimentReport;
import io.eley.report.Host;
import io.eley.report.HtmlReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Map;

/**
 * The demo: prepares a laboratory, makes all runs, writes {@code report.json} and {@code
 * report.html}. Blocks for minutes; for one thread. Whatever way it ends, the JVM's exit included,
 * nothing that it started is left running and its private directory is gone.
 */
public final class DemoExperiment {
  /** The report as data, in the directory asked for. */
  public static final String JSON_FILE = "report.json";

  /** The report as a page, beside it. */
  public static final String HTML_FILE = "report.html";

  /**
   * Nodes report their counters often, so that the charts' permits are exact to a tenth of a
   * second.
   */
  private static final String RENEWAL = "100ms";

  private final Installation installation;
  private final DeploymentLauncher launcher;
  private final Progress progress;

  public DemoExperiment(Installation installation, DeploymentLauncher launcher, Progress progress) {
    this.installation = installation;
    this.launcher = launcher;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @throws EleyException in a few lines that say what failed, the preparation included; logs are
   *     then in {@code logs/} of the directory asked for. Results that differ between modes are an
   *     {@code INTERNAL} error that begins with "WRONG RESULT"
   */
  public ExperimentReport run(DemoOptions options) throws EleyException {
    installation.verify();
    makeDirectory(options.out());
    var plan = new ArrayList<>(DemoSetup.PLAN);
    plan.addAll(DemoRuns.plan(options.workloads(), options.repetitions()));
    var steps = new Steps(progress, plan);
    try (var teardown = Teardown.onExit()) {
      var work = teardown.add(WorkDirectory.create(DemoSetup.LEAST_DISK));
      try {
        var ready = new DemoSetup(installation, options, steps, teardown).prepare(work);
        var report = measure(options, ready, steps, teardown);
        write(report, options.out());
        return report;
      } catch (EleyException e) {
        throw LogKeeper.keep(e, work.path(), logs(options));
      }
    }
  }

  private ExperimentReport measure(
      DemoOptions options, DemoSetup.Ready ready, Steps steps, Teardown teardown)
      throws EleyException {
    var laboratory = ready.laboratory();
    var protocol =
        new RunProtocol(
            laboratory,
            (subject, directory) ->
                launcher.launch(request(options, ready, subject.mode(), directory)),
            DemoSetup.SLOTS,
            ExperimentClock.REAL);
    var runs =
        new DemoRuns(
                protocol, options.workloads(), options.hpc().alonePhases(), logs(options), steps)
            .all(options.repetitions(), teardown);
    return ExperimentReport.of(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        Host.describe(installation.commit()),
        ready.parameters(),
        runs);
  }

  private static DeploymentRequest request(
      DemoOptions options, DemoSetup.Ready ready, BufferMode mode, Path directory)
      throws EleyException {
    var buffer = options.buffer();
    try {
      return new DeploymentRequest(
          mode,
          ready.laboratory().originAddress(),
          buffer.nodes(),
          buffer.memory(),
          buffer.geometry(),
          Files.createDirectories(directory.resolve("deployment")),
          Map.of(
              "eley.fetch.concurrency",
              Integer.toString(buffer.fetchers()),
              "eley.window.waves",
              Integer.toString(buffer.wavesAhead()),
              "eley.permit.renewal",
              RENEWAL,
              "eley.node.spark-home",
              ready.sparkHome().toString()));
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot make a directory: " + e, e);
    }
  }

  private static Path logs(DemoOptions options) {
    return options.out().resolve("logs");
  }

  private static void makeDirectory(Path out) throws EleyException {
    try {
      Files.createDirectories(out);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot make the directory " + out, e);
    }
  }

  private static void write(ExperimentReport report, Path out) throws EleyException {
    try {
      report.write(out.resolve(JSON_FILE));
      HtmlReport.write(report, out.resolve(HTML_FILE));
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot write the report: " + e, e);
    }
  }
}
