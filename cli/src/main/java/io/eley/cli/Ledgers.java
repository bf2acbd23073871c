package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Reads a deployment's ledger from its file, so that it works when nothing runs any more. */
final class Ledgers {
  private Ledgers() {}

  /**
   * All entries, the oldest first; none when there is no file yet. Blocks.
   *
   * @param place a ledger's file, or the directory of a deployment
   */
  static List<PhaseEntry> read(Path place) throws EleyException {
    try {
      return file(place).read();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot read the ledger in " + place + ": " + e.getMessage(), e);
    }
  }

  private static LedgerFile file(Path place) {
    Path file = place.toAbsolutePath();
    return file.toString().endsWith(".csv") && !Files.isDirectory(file)
        ? new LedgerFile(Objects.requireNonNull(file.getParent()), file.getFileName().toString())
        : new LedgerFile(file);
  }
}
