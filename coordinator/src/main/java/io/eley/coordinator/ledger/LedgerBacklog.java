package io.eley.coordinator.ledger;

import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries on their way into the ledger. A disk may be full, or its user's quota used up, for a
 * while: what it refuses waits here, and is written before the next entry, so that the file keeps
 * its order. Of more than {@value #MOST} that wait the oldest are lost, which is counted.
 *
 * <p>For one thread at a time; blocks for the file.
 */
final class LedgerBacklog {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerBacklog.class);

  /** Some 4 MiB; a day of a phase each 20 s. */
  static final int MOST = 4096;

  private final LedgerFile file;
  private final Deque<PhaseEntry> waiting = new ArrayDeque<>();
  private long lost;

  LedgerBacklog(LedgerFile file) {
    this.file = file;
  }

  /**
   * Writes what waits, then this entry.
   *
   * @throws IOException when the file cannot be written; what was not waits
   */
  void append(PhaseEntry entry) throws IOException {
    waiting.add(entry);
    if (waiting.size() > MOST) {
      waiting.remove();
      lost++;
    }
    write();
  }

  /**
   * Tries for the last time to write what waits: what cannot be written now is lost.
   *
   * @throws IOException when the file cannot be written
   */
  void end() throws IOException {
    try {
      write();
    } finally {
      lost += waiting.size();
      waiting.clear();
      tellLost();
    }
  }

  private void write() throws IOException {
    while (!waiting.isEmpty()) {
      file.append(waiting.element());
      waiting.remove();
    }
    tellLost();
  }

  private void tellLost() {
    if (lost > 0) {
      LOG.warn("{} phases are not in the ledger {}: it could not be written", lost, file.path());
      lost = 0;
    }
  }
}
