package io.eley.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eley report}: looks at a report.json again. The command line finds it by its name. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(show | html | check)",
    description = "Shows, renders or checks a report.json of the demo or of an experiment.",
    subcommands = {ReportCommand.Show.class, ReportCommand.Html.class, ReportCommand.Check.class})
public final class ReportCommand {
  private static final int FAILED = 1;

  private ReportCommand() {}

  /** The file that all three read. */
  static final class Input {
    @Parameters(paramLabel = "FILE", description = "a report.json")
    private Path file = Path.of("report.json");

    /** The report of a series, or null when it is the demo's. */
    @Nullable SeriesReport readSeries() throws EleyException {
      try {
        String json = Files.readString(file);
        return SeriesReport.recognises(json) ? SeriesReport.fromJson(json) : null;
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    private EleyException unreadable(IOException e) {
      return new EleyException(
          ErrorCode.NOT_FOUND, "cannot read the report " + file + ": " + reason(e), e);
    }

    /** In our words: the parser's say where in its own classes it stumbled. */
    private static String reason(IOException e) {
      if (e instanceof JsonProcessingException bad) {
        return bad.getLocation() == null
            ? "it is no report"
            : "it is no report (line " + bad.getLocation().getLineNr() + ")";
      }
      return e instanceof NoSuchFileException ? "there is none" : String.valueOf(e.getMessage());
    }

    ExperimentReport read() throws EleyException {
      try {
        return ExperimentReport.fromJson(Files.readString(file));
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    Path file() {
      return file;
    }
  }

  @Command(name = "show", mixinStandardHelpOptions = true, description = "Prints the table.")
  static final class Show implements Callable<Integer> {
    @picocli.CommandLine.Mixin private Input input = new Input();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws EleyException {
      var series = input.readSeries();
      var text = series == null ? ReportTable.render(input.read()) : SeriesTable.render(series);
      spec.commandLine().getOut().print(text);
      spec.commandLine().getOut().flush();
      return 0;
    }
  }

  @Command(
      name = "html",
      mixinStandardHelpOptions = true,
      description = "Writes report.html beside it.")
  static final class Html implements Callable<Integer> {
    @picocli.CommandLine.Mixin private Input input = new Input();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws EleyException {
      Path html = input.file().toAbsolutePath().resolveSibling("report.html");
      try {
        var series = input.readSeries();
        if (series == null) {
          HtmlReport.write(input.read(), html);
        } else {
          SeriesPage.write(series, html);
        }
      } catch (EleyException e) {
        throw e; // It could not be read.
      } catch (IOException e) {
        throw new EleyException(
            ErrorCode.ACCESS_DENIED, "cannot write " + html + ": " + e.getMessage(), e);
      }
      spec.commandLine().getOut().println(html);
      return 0;
    }
  }

  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = {
        "Checks that a report is complete and consistent; exit code 1 when it is not.",
        "What was expected and not met is printed, and is no error: it is a result."
      })
  static final class Check implements Callable<Integer> {
    @picocli.CommandLine.Mixin private Input input = new Input();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws EleyException {
      var out = spec.commandLine().getOut();
      var series = input.readSeries();
      if (series != null) {
        return check(series);
      }
      var report = input.read();
      var faults = ReportCheck.faults(report);
      report.verdicts().forEach(verdict -> out.println(ReportCheck.line(verdict)));
      faults.forEach(fault -> out.println("fault: " + fault));
      out.printf("%d passed, %d failed%n", ReportCheck.CHECKS - faults.size(), faults.size());
      out.flush();
      return faults.isEmpty() ? 0 : FAILED;
    }

    private int check(SeriesReport series) {
      var out = spec.commandLine().getOut();
      var faults = SeriesCheck.faults(series);
      series.verdicts().forEach(verdict -> out.println(ReportCheck.line(verdict)));
      faults.forEach(fault -> out.println("fault: " + fault));
      out.printf("%d passed, %d failed%n", SeriesCheck.CHECKS - faults.size(), faults.size());
      out.flush();
      return faults.isEmpty() ? 0 : FAILED;
    }
  }
}
