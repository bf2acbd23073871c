package io.eley.cli;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.cli.live.LiveStream;
import io.eley.cli.live.LiveTerminal;
import io.eley.cli.render.LiveText;
import io.eley.coordinator.live.LiveJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley top}: the live page in a terminal. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    description = {
      "Shows live what the deployment does: both sides' traffic, phases, applications, nodes.",
      "The coordinator pushes a picture a second; q ends it. Without a terminal it prints one."
    })
final class TopCommand implements Callable<Integer> {
  private static final int PAPER_WIDTH = 110;

  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Option(names = "--once", description = "print one picture and end")
  private boolean once;

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    DeploymentFiles files = deployment.files();
    // Says in one line what is wrong with the directory, or that nothing runs there.
    deployment.connect().close();
    try {
      if (form.json) {
        spec.commandLine().getOut().println(LiveJson.write(LiveStream.of(files).once()));
        return 0;
      }
      if (once) {
        print(files);
        return 0;
      }
      try (var terminal = LiveTerminal.open(deployment.typed())) {
        if (terminal.dumb()) {
          print(files);
        } else {
          terminal.show(files);
        }
        return 0;
      }
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, String.valueOf(e.getMessage()), e);
    }
  }

  private void print(DeploymentFiles files) throws IOException, EleyException {
    PrintWriter out = spec.commandLine().getOut();
    var paper = new LiveText.Screen(PAPER_WIDTH, 0, false);
    LiveText.frame(LiveStream.of(files).once(), paper, deployment.typed())
        .forEach(line -> out.println(line.stripTrailing()));
    out.flush();
  }
}
