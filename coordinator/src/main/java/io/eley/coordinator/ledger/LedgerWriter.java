package io.eley.coordinator.ledger;

import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the ledger on a thread of its own: a disk that is slow must not keep a hold waiting. An
 * entry that cannot be written is lost, which is logged once; nothing else depends on it.
 */
public final class LedgerWriter implements Consumer<PhaseEntry>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerWriter.class);
  private static final long FAREWELL_MILLIS = 2_000;

  /** Some 20,000 phases, of which learners keep 32 of a kind, in a heap of 256 MiB. */
  private static final long PAST_BYTES = 8 << 20;

  private final LedgerFile file;
  private final ExecutorService thread;
  private boolean complained;

  public LedgerWriter(LedgerFile file) {
    this.file = file;
    thread =
        Executors.newSingleThreadExecutor(
            work -> {
              var writer = new Thread(work, "eley-ledger");
              writer.setDaemon(true);
              return writer;
            });
    thread.execute(() -> {}); // It starts now: later the system may give none.
  }

  /**
   * The ledger's last entries, of {@value #PAST_BYTES} bytes; none when it cannot be read. Blocks.
   */
  public List<PhaseEntry> past() {
    try {
      return file.readLast(PAST_BYTES);
    } catch (IOException e) {
      complain(e);
      return List.of();
    }
  }

  @Override
  public void accept(PhaseEntry entry) {
    try {
      thread.execute(() -> write(entry));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed: an entry of the ledger is lost");
    }
  }

  private void write(PhaseEntry entry) {
    try {
      file.append(entry);
    } catch (IOException e) {
      complain(e);
    }
  }

  private synchronized void complain(IOException e) {
    if (!complained) {
      complained = true;
      LOG.warn("the ledger {} cannot be used: {}", file.path(), e.getMessage());
    }
  }

  /** Writes what is queued; waits for at most two seconds. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(FAREWELL_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn("the ledger's disk is slow; its last entries may be lost");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
