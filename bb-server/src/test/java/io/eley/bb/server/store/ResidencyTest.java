package io.eley.bb.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Sums that are kept, against a walk over all entries, under random calls as a store makes them.
 */
class ResidencyTest {
  private static final int SEEDS = 200;
  private static final int STEPS = 300;
  private static final long CAPACITY = 100;

  private final CapacityLedger ledger = new CapacityLedger(CAPACITY);
  private final Residency blocks =
      new Residency(ledger, Long.MAX_VALUE / 2, new StoreEvents(StoreListener.NONE));
  private int made;

  private Entry entry(Entry.State state, long footprint) {
    var file = new BlockFile(Path.of("none"), new FileOpener(), false);
    var arrivals = new Arrivals(StoreFixture.GEOMETRY, 1);
    BlockId id = StoreFixture.block("/f" + made++, 0);
    return new Entry(id, footprint, arrivals, file, state);
  }

  @Test
  void bytesOfEachStateAreWhatAWalkFinds() {
    for (int seed = 0; seed < SEEDS; seed++) {
      new ResidencyTest().run(new Random(seed));
    }
  }

  private void run(Random random) {
    var arriving = new ArrayList<Entry>();
    for (int step = 0; step < STEPS; step++) {
      try {
        step(random, arriving);
      } catch (EleyException e) {
        // There was no room, and nothing has changed.
      }
      for (Entry.State state : Entry.State.values()) {
        if (state != Entry.State.GONE) {
          assertThat(blocks.bytes(state))
              .as("%s", state)
              .isEqualTo(
                  blocks.all().stream()
                      .filter(e -> e.state == state)
                      .mapToLong(e -> e.footprint)
                      .sum());
        }
      }
    }
  }

  private void step(Random random, List<Entry> arriving) throws EleyException {
    List<Entry> partial =
        blocks.all().stream().filter(e -> e.state == Entry.State.PARTIAL).toList();
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        Entry entry = entry(Entry.State.ARRIVING, 1 + random.nextInt(30));
        leave(blocks.begin(entry, ReadCause.DEMAND));
        arriving.add(entry);
      }
      case 2 -> {
        if (!partial.isEmpty()) {
          Entry entry = partial.get(random.nextInt(partial.size()));
          leave(blocks.goOn(entry, entry.footprint + random.nextInt(10), ReadCause.DEMAND));
          arriving.add(entry);
        }
      }
      case 3 -> {
        if (!arriving.isEmpty()) {
          Entry entry = arriving.remove(random.nextInt(arriving.size()));
          blocks.commit(entry);
          unpin(entry);
        }
      }
      case 4 -> {
        if (!arriving.isEmpty()) {
          Entry entry = arriving.remove(random.nextInt(arriving.size()));
          long kept = 1L + random.nextInt((int) entry.footprint);
          ledger.release(entry.footprint - kept);
          blocks.suspend(entry, kept, false);
          unpin(entry);
        }
      }
      default -> {
        List<Entry> resting = blocks.all().stream().filter(e -> e.pins == 0).toList();
        if (!resting.isEmpty()) {
          Entry entry = resting.get(random.nextInt(resting.size()));
          blocks.detach(entry, DropReason.EVICTED);
          ledger.release(entry.owed);
        }
      }
    }
  }

  private void unpin(Entry entry) {
    if (blocks.unpin(entry)) {
      blocks.noteUnpinned(entry);
    }
  }

  /** Their files are unlinked. */
  private void leave(List<Entry> leaving) {
    leaving.forEach(entry -> ledger.release(entry.owed));
  }
}
