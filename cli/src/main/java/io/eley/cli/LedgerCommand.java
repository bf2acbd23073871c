package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.cli.render.Json;
import io.eley.cli.render.LedgerJson;
import io.eley.cli.render.LedgerTable;
import io.eley.cli.render.Plural;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.pages.LedgerPage;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code eley ledger}: every phase, what it got and what we did meanwhile. Reads the file, so it
 * works when nothing runs any more.
 */
@Command(
    name = "ledger",
    mixinStandardHelpOptions = true,
    description = "Shows every HPC phase: its length, alone and with us, our bytes, the hold.")
final class LedgerCommand implements Callable<Integer> {
  /** How it is printed. */
  enum Format {
    TABLE,
    CSV,
    JSON
  }

  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Option(names = "--app", paramLabel = "NAME", description = "only phases of this application")
  private @Nullable String application;

  @Option(names = "--last", paramLabel = "N", description = "only the last so many")
  private @Nullable Integer last;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, csv or json (default: ${DEFAULT-VALUE})")
  private Format format = Format.TABLE;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "write a page with the timeline instead; it needs nothing else to be read")
  private @Nullable Path html;

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    if (last != null) {
      Numbers.require("--last", last, 1, Integer.MAX_VALUE);
    }
    PrintWriter out = spec.commandLine().getOut();
    List<PhaseEntry> entries = entries(deployment.ledger());
    try {
      if (html != null) {
        LedgerPage.write(entries, html);
        out.println(html + ": " + Plural.of(entries.size(), "phase"));
      } else {
        print(entries, out);
      }
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot write: " + e.getMessage(), e);
    }
    out.flush();
    return 0;
  }

  private void print(List<PhaseEntry> entries, PrintWriter out) throws IOException {
    if (form.json) {
      out.println(Json.document("phases", LedgerJson.objects(entries)));
      return;
    }
    switch (format) {
      case TABLE -> LedgerTable.print(entries, out);
      case CSV -> LedgerFile.print(entries, out);
      case JSON -> out.println(LedgerJson.render(entries));
    }
  }

  private List<PhaseEntry> entries(Path ledger) throws EleyException {
    if (deployment.job == null && !Files.isDirectory(ledger)) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "no deployment in " + ledger + ": there is no ledger");
    }
    var chosen =
        Ledgers.read(ledger).stream()
            .filter(e -> application == null || e.application().equals(application))
            .toList();
    int from = last == null ? 0 : Math.max(0, chosen.size() - last);
    return chosen.subList(from, chosen.size());
  }
}
