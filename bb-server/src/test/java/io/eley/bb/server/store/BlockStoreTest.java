package io.eley.bb.server.store;

import static io.eley.bb.server.store.StoreFixture.BLOCK;
import static io.eley.bb.server.store.StoreFixture.CHUNK;
import static io.eley.bb.server.store.StoreFixture.FOOTPRINT;
import static io.eley.bb.server.store.StoreFixture.block;
import static io.eley.bb.server.store.StoreFixture.contents;
import static io.eley.bb.server.store.StoreFixture.put;
import static io.eley.bb.server.store.StoreFixture.read;
import static io.eley.bb.server.store.StoreFixture.writeChunk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockStoreTest {
  private static final int ROOM_FOR = 4;

  @TempDir Path directory;

  private final List<String> events = new CopyOnWriteArrayList<>();
  private BlockStore store;

  @BeforeEach
  void open() throws EleyException {
    var listener =
        new StoreListener() {
          @Override
          public void committed(BlockId block) {
            events.add("+" + block.file().path() + block.index());
          }

          @Override
          public void dropped(BlockId block, DropReason reason) {
            events.add("-" + block.file().path() + block.index() + " " + reason);
          }
        };
    store = StoreFixture.open(directory, (long) ROOM_FOR * FOOTPRINT, listener);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private long bytesOnDisk() throws IOException {
    long bytes = 0;
    for (String folder : List.of("tmp", "blocks")) {
      for (Path file : StoreDirectory.files(directory.resolve(folder))) {
        bytes += BlockStore.footprint(Files.size(file));
      }
    }
    return bytes;
  }

  @Test
  void aCommittedBlockIsReadBackByteForByte() throws Exception {
    BlockId id = block("/a", 3);
    put(store, id);
    try (var held = store.acquire(id).orElseThrow()) {
      assertThat(held.complete()).isTrue();
      assertThat(held.arrived(0, BLOCK)).isTrue();
      assertThat(held.whenArrived(0, BLOCK)).isCompleted();
      assertThat(read(held)).isEqualTo(contents(id));
      assertThat(held.file()).exists().hasParent(directory.resolve("blocks"));
    }
    assertThat(store.inventory()).containsExactly(id);
    assertThat(store.blockCount()).isEqualTo(1);
    assertThat(store.usedBytes()).isEqualTo(FOOTPRINT).isEqualTo(bytesOnDisk());
    assertThat(events).containsExactly("+/a3");
  }

  @Test
  void theLastBlockOfAFileMayBeShort() throws Exception {
    BlockId id = new BlockId(new FileVersion("/short", BLOCK + CHUNK + 1L, 1), 1);
    put(store, id);
    try (var held = store.acquire(id).orElseThrow()) {
      assertThat(held.length()).isEqualTo(CHUNK + 1);
      assertThat(read(held)).isEqualTo(contents(id));
    }
    assertThat(store.usedBytes()).isEqualTo(bytesOnDisk());
  }

  @Test
  void nobodyButTheOwnerCanReadTheFiles() throws Exception {
    put(store, block("/a", 0));
    for (String folder : List.of("", "tmp", "blocks")) {
      assertThat(modeOf(directory.resolve(folder))).isEqualTo("rwx------");
    }
    for (Path file : StoreDirectory.files(directory.resolve("blocks"))) {
      assertThat(modeOf(file)).isEqualTo("rw-------");
    }
    assertThat(modeOf(directory.resolve("lock"))).isEqualTo("rw-------");
    assertThat(modeOf(directory.resolve("node.id"))).isEqualTo("rw-------");
  }

  private static String modeOf(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void anArrivingBlockIsServedChunkByChunkInAnyOrder() throws Exception {
    BlockId id = block("/a", 0);
    BlockWriter writer = store.create(id);
    try (var held = store.acquire(id).orElseThrow()) {
      var middle = held.whenArrived(CHUNK + 1, CHUNK);
      var last = held.whenArrived(3 * CHUNK, CHUNK);
      writeChunk(writer, id, 2);
      assertThat(middle).isNotDone();
      writeChunk(writer, id, 1);
      assertThat(middle).isCompleted();
      assertThat(last).isNotDone();
      assertThat(held.arrived(CHUNK, 2 * CHUNK)).isTrue();
      assertThat(held.arrived(CHUNK - 1, 2)).isFalse();
      var bytes = ByteBuffer.allocate(2 * CHUNK);
      assertThat(held.channel().read(bytes, CHUNK)).isEqualTo(2 * CHUNK);
      assertThat(bytes.array())
          .isEqualTo(java.util.Arrays.copyOfRange(contents(id), CHUNK, 3 * CHUNK));
      assertThat(held.complete()).isFalse();
      assertThat(store.inventory()).isEmpty();
      writeChunk(writer, id, 3);
      writeChunk(writer, id, 0);
      assertThat(last).isCompleted();
      writer.commit();
      assertThat(held.complete()).isTrue();
      // The channel that was opened under the temporary name is still the right one.
      assertThat(read(held)).isEqualTo(contents(id));
    }
  }

  @Test
  void anAbortTellsThoseWhoWaitAndGivesTheSpaceBackAfterTheLastPin() throws Exception {
    BlockId id = block("/a", 0);
    BlockWriter writer = store.create(id);
    writeChunk(writer, id, 0);
    var held = store.acquire(id).orElseThrow();
    var waiting = held.whenArrived(0, BLOCK);
    writer.abort(new EleyException(ErrorCode.ORIGIN_HUNG, "test"));
    assertThat(waiting).isCompletedExceptionally();
    assertThat(held.whenArrived(BLOCK - 1, 1)).isCompletedExceptionally();
    assertThat(held.whenArrived(0, CHUNK)).isCompleted();
    assertThat(store.acquire(id)).isEmpty();
    assertThat(store.usedBytes()).isEqualTo(FOOTPRINT);
    assertThat(bytesOnDisk()).isZero();
    held.close();
    held.close();
    assertThat(store.usedBytes()).isZero();
    assertThat(events).isEmpty();
    put(store, id);
  }

  @Test
  void spaceIsReservedBeforeTheFirstByte() throws Exception {
    var writers = new java.util.ArrayList<BlockWriter>();
    for (int i = 0; i < ROOM_FOR; i++) {
      writers.add(store.create(block("/a", i)));
    }
    assertThat(store.usedBytes()).isEqualTo(store.capacityBytes());
    assertThat(bytesOnDisk()).isZero();
    assertFails(ErrorCode.NO_SPACE, () -> store.create(block("/a", 9)));
    writers.get(0).abort(new EleyException(ErrorCode.UNAVAILABLE, "test"));
    store.create(block("/a", 9)).abort(new EleyException(ErrorCode.UNAVAILABLE, "test"));
  }

  @Test
  void consumedBlocksAreEvictedFirstThenTheLeastRecentlyUsed() throws Exception {
    for (int i = 0; i < ROOM_FOR; i++) {
      put(store, block("/a", i));
    }
    store.acquire(block("/a", 0)).orElseThrow().close();
    store.free(List.of(block("/a", 3), block("/a", 2), block("/never", 0)));
    events.clear();
    for (int i = 0; i < ROOM_FOR; i++) {
      put(store, block("/b", i));
    }
    assertThat(events)
        .containsExactly(
            "-/a3 EVICTED",
            "+/b0",
            "-/a2 EVICTED",
            "+/b1",
            "-/a1 EVICTED",
            "+/b2",
            "-/a0 EVICTED",
            "+/b3");
    assertThat(store.evictedBlocks()).isEqualTo(4);
    assertThat(store.usedBytes()).isEqualTo(bytesOnDisk());
  }

  private void prefetch(BlockId id) throws EleyException {
    BlockWriter writer = store.tryCreate(id, ReadCause.PREFETCH, true).orElseThrow();
    writer.write(0, ByteBuffer.allocate(BLOCK));
    writer.commit();
  }

  /** Else two blocks of one plan would evict each other, and the origin send them in turns. */
  @Test
  void aPrefetchEvictsWhatIsConsumedOrWasNeverPlannedAndNothingElse() throws Exception {
    put(store, block("/a", 0));
    for (int i = 1; i < ROOM_FOR; i++) {
      prefetch(block("/a", i));
    }
    store.free(List.of(block("/a", 2)));
    events.clear();
    prefetch(block("/b", 0));
    prefetch(block("/b", 1));
    assertThat(events).containsExactly("-/a2 EVICTED", "+/b0", "-/a0 EVICTED", "+/b1");
    assertFails(ErrorCode.NO_SPACE, () -> prefetch(block("/b", 2)));
    assertThat(store.inventory()).hasSize(ROOM_FOR);
    put(store, block("/c", 0));
    assertThat(events).as("a task waits for it").endsWith("-/a1 EVICTED", "+/c0");
    assertThat(store.retain(block("/c", 0))).isTrue();
    assertFails(ErrorCode.NO_SPACE, () -> prefetch(block("/b", 2)));
    store.forgetPlans();
    prefetch(block("/b", 2));
    assertThat(events).endsWith("-/a3 EVICTED", "+/b2");
  }

  @Test
  void whatIsReservedIsWhatAFileTakes() throws Exception {
    for (String path : List.of("/a", "/" + "ä".repeat(2000), "/" + "漢".repeat(1500) + "😀")) {
      for (long length : new long[] {1, CHUNK, BLOCK - 100, 3L * BLOCK}) {
        var id = new BlockId(new FileVersion(path, length, 1), 0);
        put(store, id);
        assertThat(bytesOnDisk()).as(path).isEqualTo(store.footprintBytes(id));
        store.dropOtherVersions(new FileVersion(path, length, 2));
      }
    }
  }

  @Test
  void aConsumedBlockThatIsPlannedAgainIsKept() throws Exception {
    for (int i = 0; i < ROOM_FOR; i++) {
      put(store, block("/a", i));
    }
    store.free(List.of(block("/a", 3)));
    assertThat(store.retain(block("/a", 3))).isTrue();
    assertThat(store.retain(block("/never", 0))).isFalse();
    put(store, block("/b", 0));
    assertThat(store.inventory()).contains(block("/a", 3)).doesNotContain(block("/a", 0));
  }

  @Test
  void oneThatIsPlannedAgainIsReportedAsThereOnlyOnceAllOfItIs() throws Exception {
    BlockId id = block("/a", 0);
    assertThat(store.retain(id)).isFalse();
    BlockWriter writer = store.create(id);
    writeChunk(writer, id, 0);
    assertThat(store.retain(id)).isFalse();
    writer.abort(new EleyException(ErrorCode.UNAVAILABLE, "test"));
    put(store, id);
    assertThat(store.retain(id)).isTrue();
    try (var held = store.acquire(id).orElseThrow()) {
      assertThat(held.id()).isEqualTo(id);
    }
  }

  /** A new version does not get the room of an old one's block before its reader is done. */
  @Test
  void theRoomOfAnOlderVersionThatIsReadIsNotGivenToTheNewOne() throws Exception {
    for (int i = 0; i < ROOM_FOR; i++) {
      put(store, block("/a", i));
    }
    var pins = new ArrayList<StoredBlock>();
    for (int i = 0; i < ROOM_FOR; i++) {
      pins.add(store.acquire(block("/a", i)).orElseThrow());
    }
    assertFails(ErrorCode.NO_SPACE, () -> store.create(block("/a", 0, 2)));
    pins.forEach(StoredBlock::close);
    put(store, block("/a", 0, 2));
  }

  @Test
  void aBlockThatArrivesLeavesNoFileBehindWhenTheStoreIsClosed() throws Exception {
    BlockWriter writer = store.create(block("/a", 0));
    writeChunk(writer, block("/a", 0), 0);
    assertThat(directory.resolve("tmp")).isNotEmptyDirectory();
    store.close();
    assertThat(directory.resolve("tmp")).isEmptyDirectory();
  }

  @Test
  void aPinnedBlockIsNeverEvicted() throws Exception {
    for (int i = 0; i < ROOM_FOR; i++) {
      put(store, block("/a", i));
    }
    var pins = new ArrayList<StoredBlock>();
    for (int i = 0; i < ROOM_FOR; i++) {
      pins.add(store.acquire(block("/a", i)).orElseThrow());
    }
    store.free(List.of(block("/a", 0)));
    assertFails(ErrorCode.NO_SPACE, () -> store.create(block("/b", 0)));
    assertThat(store.inventory()).hasSize(ROOM_FOR);
    pins.get(2).close();
    put(store, block("/b", 0));
    assertThat(store.inventory()).doesNotContain(block("/a", 2)).hasSize(ROOM_FOR);
    pins.forEach(StoredBlock::close);
  }

  @Test
  void evictedFilesAreGoneBeforeTheFirstByteOfTheNewBlock() throws Exception {
    for (int i = 0; i < ROOM_FOR; i++) {
      put(store, block("/a", i));
    }
    events.clear();
    BlockWriter writer = store.create(block("/b", 0));
    assertThat(events).containsExactly("-/a0 EVICTED");
    assertThat(store.usedBytes()).isEqualTo(store.capacityBytes());
    assertThat(bytesOnDisk()).isEqualTo(store.capacityBytes());
    writeChunk(writer, block("/b", 0), 3);
    assertThat(bytesOnDisk()).isLessThanOrEqualTo(store.capacityBytes());
    assertThat(StoreDirectory.files(directory.resolve("blocks"))).hasSize(ROOM_FOR - 1);
    writer.abort(new EleyException(ErrorCode.UNAVAILABLE, "test"));
    assertThat(store.usedBytes()).isEqualTo(bytesOnDisk()).isEqualTo(3L * FOOTPRINT);
  }

  @Test
  void evictingForASmallBlockGivesTheRestBackOnlyOnceItIsUnlinked() throws Exception {
    for (int i = 0; i < ROOM_FOR; i++) {
      put(store, block("/a", i));
    }
    BlockId small = new BlockId(new FileVersion("/small", 10, 1), 0);
    BlockWriter writer = store.create(small);
    assertThat(store.usedBytes()).isEqualTo(store.capacityBytes());
    writeChunk(writer, small, 0);
    assertThat(store.usedBytes()).isEqualTo(3L * FOOTPRINT + 4096);
    writer.commit();
    assertThat(store.usedBytes()).isEqualTo(bytesOnDisk());
  }

  @Test
  void aBlockOfANewerVersionDropsTheOlderOnes() throws Exception {
    put(store, block("/a", 0, 1));
    put(store, block("/a", 1, 1));
    put(store, block("/other", 0, 1));
    var arriving = store.create(block("/a", 2, 1));
    try (var pinned = store.acquire(block("/a", 0, 1)).orElseThrow();
        var waiter = arriving.pin()) {
      var waiting = waiter.whenArrived(0, BLOCK);
      events.clear();
      put(store, block("/a", 0, 2));
      assertThat(events).containsExactly("-/a0 OTHER_VERSION", "-/a1 OTHER_VERSION", "+/a0");
      assertThat(waiting).isCompletedExceptionally();
      assertThat(read(pinned)).isEqualTo(contents(block("/a", 0, 1)));
      assertThat(store.inventory())
          .containsExactlyInAnyOrder(block("/a", 0, 2), block("/other", 0, 1));
      assertFails(ErrorCode.STALE_VERSION, () -> writeChunk(arriving, block("/a", 2, 1), 0));
      arriving.abort(new EleyException(ErrorCode.STALE_VERSION, "test"));
    }
    assertThat(store.usedBytes()).isEqualTo(2L * FOOTPRINT).isEqualTo(bytesOnDisk());
  }

  @Test
  void aBlockOfAnOlderVersionDropsNothing() throws Exception {
    put(store, block("/a", 0, 2));
    put(store, block("/a", 0, 1));
    assertThat(store.inventory()).hasSize(2);
    events.clear();
    store.dropOtherVersions(block("/a", 0, 2).file());
    assertThat(events).containsExactly("-/a0 OTHER_VERSION");
    assertThat(store.inventory()).containsExactly(block("/a", 0, 2));
    assertThat(store.usedBytes()).isEqualTo(FOOTPRINT).isEqualTo(bytesOnDisk());
  }

  @Test
  void aBlockThatWasDroppedIsNotCommitted() throws Exception {
    BlockId id = block("/a", 0, 1);
    BlockWriter writer = store.create(id);
    for (int chunk = 0; chunk < 4; chunk++) {
      writeChunk(writer, id, chunk);
    }
    store.dropOtherVersions(block("/a", 0, 2).file());
    assertFails(ErrorCode.STALE_VERSION, writer::commit);
    assertThat(store.inventory()).isEmpty();
    assertThat(store.usedBytes()).isZero();
    assertThat(bytesOnDisk()).isZero();
    assertThat(events).isEmpty();
  }

  @Test
  void checksumsAreThoseOfTheChunks() throws Exception {
    BlockId id = block("/a", 0);
    put(store, id);
    try (var held = store.acquire(id).orElseThrow()) {
      var expected =
          IntStream.range(0, 4)
              .mapToObj(
                  chunk -> {
                    var crc = new CRC32C();
                    crc.update(contents(id), chunk * CHUNK, CHUNK);
                    return (int) crc.getValue();
                  })
              .toList();
      assertThat(held.checksums(0, BLOCK)).isEqualTo(expected);
      assertThat(held.checksums(CHUNK, 2 * CHUNK)).isEqualTo(expected.subList(1, 3));
      assertThatThrownBy(() -> held.checksums(1, CHUNK))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> held.checksums(0, CHUNK + 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aBlockHasOneWriter() throws Exception {
    BlockId id = block("/a", 0);
    BlockWriter writer = store.create(id);
    assertThat(store.tryCreate(id)).isEmpty();
    assertFails(ErrorCode.UNAVAILABLE, () -> store.create(id));
    writeChunk(writer, id, 0);
    assertThatThrownBy(() -> writeChunk(writer, id, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> writer.write(CHUNK, ByteBuffer.allocate(7)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    writer.abort(new EleyException(ErrorCode.UNAVAILABLE, "test"));
    writer.abort(new EleyException(ErrorCode.UNAVAILABLE, "test"));
    assertThatThrownBy(() -> writeChunk(writer, id, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(writer::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("over");
    assertThat(store.usedBytes()).isZero();
  }

  @Test
  void bytesOutsideABlockAreNobodys() throws Exception {
    put(store, block("/a", 0));
    try (var held = store.acquire(block("/a", 0)).orElseThrow()) {
      for (int[] range : new int[][] {{-CHUNK, CHUNK}, {0, 0}, {0, BLOCK + 1}, {BLOCK, 1}}) {
        assertOutside(() -> held.arrived(range[0], range[1]));
        assertOutside(() -> held.whenArrived(range[0], range[1]));
        assertOutside(() -> held.checksums(range[0], range[1]));
      }
      assertThat(held.arrived(BLOCK - 1, 1)).isTrue();
    }
  }

  private static void assertOutside(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a range of a block");
  }

  @Test
  void aBlockTakesWholePages() {
    assertThat(LongStream.of(1, 4095, 4096, 4097, 8191, 8192).map(BlockStore::footprint))
        .containsExactly(4096L, 4096L, 4096L, 8192L, 8192L, 8192L);
  }

  @Test
  void aStoreHasACapacity(@TempDir Path other) {
    assertThatThrownBy(() -> StoreFixture.open(other, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacity must be positive: 0");
  }

  @Test
  void aBlockPastTheEndOfItsFileIsMalformed() {
    assertFails(ErrorCode.MALFORMED, () -> store.create(block("/a", 100)));
  }

  @Test
  void closingFailsWhatArrivesAndKeepsPinsReadable() throws Exception {
    put(store, block("/a", 0));
    BlockWriter writer = store.create(block("/a", 1));
    writeChunk(writer, block("/a", 1), 0);
    try (var held = store.acquire(block("/a", 0)).orElseThrow();
        var arriving = writer.pin()) {
      var waiting = arriving.whenArrived(0, BLOCK);
      store.close();
      store.close();
      assertThat(waiting).isCompletedExceptionally();
      assertThat(read(held)).isEqualTo(contents(block("/a", 0)));
      assertThat(store.acquire(block("/a", 0))).isEmpty();
      assertFails(ErrorCode.UNAVAILABLE, () -> store.create(block("/b", 0)));
      assertFails(ErrorCode.UNAVAILABLE, () -> writeChunk(writer, block("/a", 1), 1));
      writer.abort(new EleyException(ErrorCode.UNAVAILABLE, "test"));
    }
    assertThat(StoreDirectory.files(directory.resolve("tmp"))).isEmpty();
    assertThat(StoreDirectory.files(directory.resolve("blocks"))).hasSize(1);
  }
}
