package io.eley.coordinator.ledger;

import io.eley.coordinator.agent.SlowDisk;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Writes the ledger, and reads what earlier coordinators have written. */
public final class LedgerWriter implements Consumer<PhaseEntry>, AutoCloseable {
  /** Some 20,000 phases, of which learners keep 32 of a kind, in a heap of 256 MiB. */
  private static final long PAST_BYTES = 8 << 20;

  private final LedgerFile file;
  private final LedgerBacklog backlog; // of the disk's thread
  private final SlowDisk disk;

  public LedgerWriter(LedgerFile file) {
    this.file = file;
    backlog = new LedgerBacklog(file);
    disk =
        new SlowDisk(
            "eley-ledger",
            "the ledger " + file.path(),
            "the ledger's disk is slow; its last entries may be lost");
  }

  /**
   * The ledger's last entries, of {@value #PAST_BYTES} bytes; none when it cannot be read. Blocks.
   */
  public List<PhaseEntry> past() {
    try {
      return file.readLast(PAST_BYTES);
    } catch (IOException e) {
      disk.complain(e);
      return List.of();
    }
  }

  @Override
  public void accept(PhaseEntry entry) {
    disk.execute(() -> backlog.append(entry));
  }

  /** Writes what is queued, and what was refused until now; waits for at most two seconds. */
  @Override
  public void close() {
    disk.execute(backlog::end);
    disk.close();
  }
}
