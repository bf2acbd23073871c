package io.eley.bb.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three blocks of 10 bytes in a budget of 35, and others who fill the RAM-disk meanwhile. */
class SpacePlanTest {
  private static final long CAPACITY = 35;
  private static final long BLOCK = 10;
  private static final BlockId NEW = StoreFixture.block("/new", 0);

  /** Of an entry with a path of two letters. */
  private static final long HEAP = Entry.heapOf(StoreFixture.block("/a", 0), 1);

  private final CapacityLedger ledger = new CapacityLedger(CAPACITY);
  private final BlockIndex index = new BlockIndex(4 * HEAP);
  private final List<Entry> entries = Stream.of("/a", "/b", "/c").map(this::committed).toList();

  private Entry committed(String path) {
    var file = new BlockFile(Path.of("none"), new FileOpener(), false);
    var arrivals = new Arrivals(StoreFixture.GEOMETRY, 1);
    BlockId id = StoreFixture.block(path, 0);
    return new Entry(id, BLOCK, arrivals, file, Entry.State.COMMITTED);
  }

  @BeforeEach
  void fill() {
    for (Entry entry : entries) {
      assertThat(ledger.reserve(BLOCK)).isTrue();
      index.add(entry);
      index.noteUnpinned(entry);
    }
  }

  /** Plans the new block, with so much heap for its entry. */
  private SpacePlan make(long heap) throws EleyException {
    var need = new SpacePlan.Need(NEW, BLOCK, heap, ReadCause.DEMAND);
    return SpacePlan.make(need, index, ledger);
  }

  private void assertOwed(long... bytes) {
    assertThat(entries.stream().mapToLong(entry -> entry.owed).toArray()).containsExactly(bytes);
  }

  private static void assertNoSpace(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
  }

  @Test
  void whatIsFreeIsTakenFirstAndTheRestFromThoseWhoLeave() throws Exception {
    SpacePlan plan = make(0);
    assertThat(plan.leaving()).containsExactly(entries.get(0));
    assertOwed(10, 10, 10);
    plan.handOver(BLOCK, ledger);
    assertOwed(5, 10, 10);
    assertThat(ledger.used()).isEqualTo(CAPACITY);
  }

  @Test
  void aBudgetThatShrinksBehindThePlanChangesNothing() throws Exception {
    SpacePlan plan = make(0);
    ledger.shrinkTo(32);
    for (int i = 0; i < 3; i++) {
      assertNoSpace(() -> plan.handOver(BLOCK, ledger));
    }
    assertOwed(10, 10, 10);
    assertThat(ledger.used()).isEqualTo(30);
    ledger.growTo(CAPACITY);
    plan.handOver(BLOCK, ledger);
    assertOwed(5, 10, 10);
    assertThat(ledger.used()).isEqualTo(CAPACITY);
  }

  @Test
  void inABudgetThatIsOverdrawnMoreLeavesThanTheNewBlockTakes() throws Exception {
    ledger.shrinkTo(22);
    SpacePlan plan = make(0);
    assertThat(plan.leaving()).containsExactly(entries.get(0), entries.get(1));
    plan.handOver(BLOCK, ledger);
    assertOwed(0, 2, 10);
    assertThat(ledger.used()).as("with what the second still owes").isEqualTo(22);
  }

  @Test
  void heapThatIsShortIsWonByEvictingThoughThereIsRoom() throws Exception {
    ledger.release(20);
    assertThat(make(HEAP).leaving()).isEmpty();
    SpacePlan plan = make(HEAP + 1);
    assertThat(plan.leaving()).containsExactly(entries.get(0));
    plan.handOver(BLOCK, ledger);
    assertOwed(10, 10, 10);
    assertThat(make(3 * HEAP).leaving()).containsExactly(entries.get(0), entries.get(1));
    assertThatThrownBy(() -> make(5 * HEAP)).hasMessageContaining("no heap for block");
    assertNoSpace(() -> make(5 * HEAP));
  }

  @Test
  void whatIsPinnedIsNoSpace() {
    entries.forEach(index::notePinned);
    assertNoSpace(() -> make(0));
    assertOwed(10, 10, 10);
    assertThat(ledger.used()).isEqualTo(30);
  }
}
