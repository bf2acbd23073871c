package io.eley.bb.server.store;

import static io.eley.bb.server.store.StoreFixture.BLOCK;
import static io.eley.bb.server.store.StoreFixture.FOOTPRINT;
import static io.eley.bb.server.store.StoreFixture.block;
import static io.eley.bb.server.store.StoreFixture.contents;
import static io.eley.bb.server.store.StoreFixture.put;
import static io.eley.bb.server.store.StoreFixture.read;
import static io.eley.bb.server.store.StoreFixture.writeChunk;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a block that a reader says is damaged. */
class FoundDamagedTest {
  private static final int ROOM_FOR = 2;

  @TempDir Path directory;

  private final BlockId id = block("/a", 0);
  private final List<String> dropped = new ArrayList<>();
  private BlockStore store;

  @BeforeEach
  void open() throws EleyException {
    var listener =
        new StoreListener() {
          @Override
          public void committed(BlockId block) {}

          @Override
          public void dropped(BlockId block, DropReason reason) {
            dropped.add(block.file().path() + block.index() + " " + reason);
          }
        };
    store = StoreFixture.open(directory, (long) ROOM_FOR * FOOTPRINT, listener);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void damage(long position) throws Exception {
    try (var held = store.acquire(id).orElseThrow();
        var file = FileChannel.open(held.file(), StandardOpenOption.WRITE)) {
      byte right = contents(id)[(int) position];
      file.write(ByteBuffer.wrap(new byte[] {(byte) ~right}), position);
    }
  }

  @Test
  void oneThatIsDamagedIsDroppedReportedAndFetchedAnew() throws Exception {
    put(store, id);
    damage(BLOCK - 1);
    store.verifyAgain(id);
    assertThat(store.acquire(id)).isEmpty();
    assertThat(store.damagedBlocks()).isEqualTo(1);
    assertThat(dropped).containsExactly("/a0 DAMAGED");
    assertThat(store.usedBytes()).isZero();
    assertThat(StoreDirectory.files(directory.resolve("blocks"))).isEmpty();
    put(store, id);
    try (var held = store.acquire(id).orElseThrow()) {
      assertThat(read(held)).isEqualTo(contents(id));
    }
    assertThat(store.evictedBlocks()).isZero();
  }

  @Test
  void oneThatIsCutShortIsDamaged() throws Exception {
    put(store, id);
    try (var held = store.acquire(id).orElseThrow();
        var file = FileChannel.open(held.file(), StandardOpenOption.WRITE)) {
      file.truncate(BLOCK - 1);
    }
    store.verifyAgain(id);
    assertThat(store.acquire(id)).isEmpty();
    assertThat(store.damagedBlocks()).isEqualTo(1);
  }

  @Test
  void oneThatIsWholeStaysAndMayBeEvictedLater() throws Exception {
    put(store, id);
    store.verifyAgain(id);
    assertThat(store.damagedBlocks()).isZero();
    assertThat(store.inventory()).containsExactly(id);
    assertThat(dropped).isEmpty();
    for (int i = 0; i < ROOM_FOR; i++) {
      put(store, block("/b", i));
    }
    assertThat(dropped).containsExactly("/a0 EVICTED");
  }

  @Test
  void oneThatArrivesOrIsUnknownIsLeftAlone() throws Exception {
    store.verifyAgain(id);
    BlockWriter writer = store.create(id);
    writeChunk(writer, id, 0);
    store.verifyAgain(id);
    for (int chunk = 1; chunk < 4; chunk++) {
      writeChunk(writer, id, chunk);
    }
    writer.commit();
    assertThat(store.damagedBlocks()).isZero();
    assertThat(store.inventory()).containsExactly(id);
  }

  @Test
  void whoHoldsItReadsItToTheEndAndItsSpaceCountsUntilThen() throws Exception {
    put(store, id);
    damage(0);
    var held = store.acquire(id).orElseThrow();
    store.verifyAgain(id);
    assertThat(store.usedBytes()).isEqualTo(FOOTPRINT);
    assertThat(Files.exists(held.file())).isFalse();
    assertThat(read(held)).hasSize(BLOCK);
    held.close();
    assertThat(store.usedBytes()).isZero();
  }

  @Test
  void aBlockWhoseFileSomebodyHasTakenAwayIsDroppedOnceAReaderSaysSo() throws IOException {
    put(store, id);
    for (Path file : StoreDirectory.files(directory.resolve("blocks"))) {
      Files.delete(file);
    }
    store.verifyAgain(id);
    assertThat(store.acquire(id)).isEmpty();
    assertThat(store.damagedBlocks()).isEqualTo(1);
    assertThat(store.usedBytes()).isZero();
  }
}
