package io.eley.coordinator.ledger;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.PlainText;
import io.eley.fuzz.Input;
import io.eley.fuzz.Scratch;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The ledger's file: whatever stands in it, reading it skips what makes no sense, its texts are
 * plain, and what was read is read again when it is written.
 */
public final class LedgerFuzz {
  private static final LedgerFile LEDGER = new LedgerFile(Scratch.directory());
  private static final String FILE =
      new DeploymentFiles(Scratch.directory()).ledger().getFileName().toString();

  private LedgerFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Scratch.file(FILE, input);
    List<PhaseEntry> entries = LEDGER.read();
    for (PhaseEntry entry : entries) {
      Input.require(
          PlainText.isPlain(entry.application() + entry.source() + entry.decision()),
          "a text that is not plain");
      entry.slowdown();
      entry.ourTotal();
    }
    var text = new StringBuilder();
    LedgerFile.print(entries, text);
    Scratch.file(FILE, text.toString().getBytes(StandardCharsets.UTF_8));
    List<PhaseEntry> again = LEDGER.read();
    Input.require(again.size() == entries.size(), "entries were lost: " + text);
    var twice = new StringBuilder();
    LedgerFile.print(again, twice);
    Input.require(twice.toString().equals(text.toString()), "entries changed: " + text);
  }
}
