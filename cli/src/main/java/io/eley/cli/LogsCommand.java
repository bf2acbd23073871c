package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.cli.render.Json;
import io.eley.cli.render.LogTable;
import io.eley.scheduler.hooks.job.Pause;
import io.eley.scheduler.hooks.job.UserJobs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code eley logs}: which logs there are, and what is in them; also when nothing runs any more.
 */
@Command(
    name = "logs",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the logs of a deployment or a job, or shows the end of some and what is written next.",
      "Without LOG and without --follow it is the list."
    })
final class LogsCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final int MOST_LINES = 100_000;

  @Parameters(
      arity = "0..*",
      paramLabel = "JOB|LOG",
      description = {
        "the number of a Slurm job with a buffer, and then or instead",
        "names of logs as the list has them, such as coordinator or node-1 (default: all)"
      })
  private List<String> words = List.of();

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      defaultValue = "20",
      description = "so many of the last lines of each (default: ${DEFAULT-VALUE})")
  private int lines;

  @Option(
      names = {"-f", "--follow"},
      description = "then go on with what is written, until Ctrl-C")
  private boolean follow;

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Mixin private JobsOption jobs = new JobsOption();

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    Numbers.require("--lines", lines, 0, MOST_LINES);
    boolean ofAJob = !words.isEmpty() && UserJobs.isNumber(words.get(0));
    List<String> names = ofAJob ? words.subList(1, words.size()) : words;
    Path directory =
        ofAJob ? jobs.jobs().logs(jobs.number(words.get(0))) : deployment.files().logs();
    if (form.json && (!names.isEmpty() || follow)) {
      throw new ParameterException(
          spec.commandLine(), "--json is of the list of logs: a log itself is text");
    }
    var out = spec.commandLine().getOut();
    try {
      List<Path> logs = LogTail.chosen(directory, names);
      if (names.isEmpty() && !follow) {
        var rows = LogTable.rows(logs);
        out.print(form.json ? Json.document("logs", rows) + "\n" : LogTable.render(rows));
        out.flush();
      } else {
        show(logs);
      }
      return 0;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot read " + directory + ": " + ErrorLine.describe(e), e);
    }
  }

  private void show(List<Path> logs) throws IOException {
    var tails = new ArrayList<LogTail>();
    for (Path log : logs) {
      var tail = new LogTail(log);
      print(log, tail.last(lines), logs.size() > 1);
      tails.add(tail);
    }
    var out = spec.commandLine().getOut();
    while (follow && !out.checkError()) { // else who reads it has gone
      Pause.sleeping().forTime(LOOK);
      for (int i = 0; i < tails.size(); i++) {
        print(logs.get(i), tails.get(i).more(), logs.size() > 1);
      }
    }
  }

  private void print(Path log, List<String> read, boolean named) {
    var out = spec.commandLine().getOut();
    read.forEach(line -> out.println(named ? LogTable.name(log) + ": " + line : line));
    out.flush();
  }
}
