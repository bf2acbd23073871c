package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads a deployment's ledger from its file, so that it works when nothing runs any more. */
final class Ledgers {
  private Ledgers() {}

  /** All entries, the oldest first; none when there is no file yet. Blocks. */
  static List<PhaseEntry> read(Path directory) throws EleyException {
    try {
      return new LedgerFile(directory).read();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "cannot read the ledger in " + directory + ": " + e.getMessage(),
          e);
    }
  }
}
