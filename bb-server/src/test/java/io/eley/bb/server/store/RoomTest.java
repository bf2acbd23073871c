package io.eley.bb.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A budget that follows what the file system takes, with a file system that is a number. */
class RoomTest {
  private static final long CAPACITY = 100;
  private static final long BLOCK = 10;

  private final CapacityLedger ledger = new CapacityLedger(CAPACITY);
  private final Room room = new Room("ram", () -> usable(), ledger);
  private final Entry entry = entry();
  private long usable = Long.MAX_VALUE;
  private int asked;

  private long usable() {
    asked++;
    return usable;
  }

  private static Entry entry() {
    var geometry = BlockGeometry.DEFAULT;
    var file = new BlockFile(Path.of("none"), new FileOpener(), true);
    var id = new BlockId(new FileVersion("/f", 10, 1), 0);
    return new Entry(id, BLOCK, new Arrivals(geometry, 10), file, Entry.State.ARRIVING);
  }

  @Test
  void thereIsRoomForExactlyWhatTheFileSystemTakes() {
    usable = 7;
    assertThat(room.hasRoom(entry, 7)).isTrue();
    assertThat(ledger.squeezed()).isFalse();
    assertThat(room.hasRoom(entry, 8)).isFalse();
    assertThat(ledger.squeezed()).isTrue();
  }

  @Test
  void aFullFileSystemLeavesWhatIsThereWithoutTheBlock() {
    assertThat(ledger.reserve(40)).isTrue();
    room.squeeze(entry);
    assertThat(ledger.limit()).isEqualTo(40 - BLOCK);
    assertThat(ledger.reserve(1)).isFalse();
  }

  @Test
  void theBudgetGrowsByWhatIsFreeAndPromisedToNobody() {
    assertThat(ledger.reserve(40)).isTrue();
    room.squeeze(entry);
    usable = 25;
    room.check(() -> 16, BLOCK);
    assertThat(ledger.limit()).as("room for less than a block").isEqualTo(30);
    room.check(() -> 15, BLOCK);
    assertThat(ledger.limit()).isEqualTo(50);
    assertThat(ledger.squeezed()).isTrue();
  }

  @Test
  void aFileSystemThatSaysNothingHasRoomForTheWholeCapacity() {
    assertThat(ledger.reserve(40)).isTrue();
    room.squeeze(entry);
    usable = Long.MAX_VALUE;
    room.check(() -> 0, BLOCK);
    assertThat(ledger.limit()).isEqualTo(CAPACITY);
    assertThat(ledger.squeezed()).isFalse();
  }

  @Test
  void nothingIsAskedWhileTheCapacityIsThere() {
    room.check(
        () -> {
          throw new AssertionError("asked for nothing");
        },
        BLOCK);
    assertThat(asked).isZero();
  }
}
