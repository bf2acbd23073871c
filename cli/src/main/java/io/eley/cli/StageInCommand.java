package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.cli.render.StagedLine;
import io.eley.scheduler.hooks.job.OriginFiles;
import io.eley.scheduler.hooks.job.Pause;
import io.eley.scheduler.hooks.job.StageIn;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eley stage-in}: files into the buffer before anybody reads them. */
@Command(
    name = "stage-in",
    mixinStandardHelpOptions = true,
    description = {
      "Fetches files into the buffer before anybody reads them, under permits, as much as fits.",
      "Says how far it is meanwhile, 'staged …' when they are there, and keeps them there until an application has told what"
          + " it reads, or until it is ended."
    },
    footer = {"", "Example:", "  eley stage-in 'input/part-*'"})
final class StageInCommand implements Callable<Integer> {
  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Option(names = "--leave", description = "end when they are there; they may be evicted then")
  private boolean leave;

  @Parameters(
      paramLabel = "PATTERN",
      description = "files below the origin, with * ? [ ] and ** for any depth; or a directory")
  private String pattern = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    try (var coordinator = deployment.connect()) {
      var ports = new Ports(coordinator);
      String origin = Origins.path(coordinator.view().originAddress());
      var files = new OriginFiles(ports, origin).matching(pattern);
      boolean terminal = WatchOption.onATerminal(2);
      // The verb's own printer lets no escape pass; these lines are numbers and words of ours.
      var lines =
          terminal
              ? new PrintWriter(System.err, true, Charset.defaultCharset())
              : spec.commandLine().getErr();
      var shown = new StagingShown(lines, terminal, System::nanoTime);
      var stageIn = new StageIn(ports, StageIn.name(), Pause.sleeping(), shown);
      var staged = stageIn.stage(files);
      shown.end();
      print(StagedLine.render(staged));
      if (!leave) {
        var err = spec.commandLine().getErr();
        err.println("kept until an application has told what it reads; Ctrl-C gives it up");
        err.flush();
        stageIn.keep();
      }
      stageIn.end();
    }
    return 0;
  }

  private void print(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  /** The coordinator, as staging sees it. */
  private record Ports(CoordinatorClient client)
      implements StageIn.Coordinator, OriginFiles.Listing {
    @Override
    public DeploymentReport report() throws EleyException {
      return client.report();
    }

    @Override
    public void tell(PlanMessage message) throws EleyException {
      client.send(message);
    }

    @Override
    public OriginStatus stat(String path) throws EleyException {
      return client.stat(path, false);
    }

    @Override
    public List<OriginStatus> list(String path) throws EleyException {
      return client.list(path);
    }
  }
}
