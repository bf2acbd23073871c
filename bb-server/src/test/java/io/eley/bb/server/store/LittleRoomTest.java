package io.eley.bb.server.store;

import static io.eley.bb.server.store.StoreFixture.BLOCK;
import static io.eley.bb.server.store.StoreFixture.CHUNK;
import static io.eley.bb.server.store.StoreFixture.FOOTPRINT;
import static io.eley.bb.server.store.StoreFixture.block;
import static io.eley.bb.server.store.StoreFixture.put;
import static io.eley.bb.server.store.StoreFixture.writeChunk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A RAM-disk of a few pages that others fill, page by page. */
class LittleRoomTest {
  private static final int PAGE = 4096;
  private static final long CAPACITY = 4L * FOOTPRINT;

  @TempDir Path directory;
  private Path ramDisk;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    ramDisk = Files.createDirectory(directory.resolve("ram"));
    String size = "size=" + 2 * CAPACITY;
    mounted = run("mount", "-t", "tmpfs", "-o", size, "tmpfs", ramDisk.toString());
    assumeTrue(mounted, "this user may not mount a RAM-disk");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      run("umount", "-l", ramDisk.toString());
    }
  }

  private static boolean run(String... command) throws Exception {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor() == 0;
  }

  private BlockStore open(long capacity) throws EleyException {
    return StoreFixture.open(ramDisk.resolve("blocks"), capacity);
  }

  /** Others take so much that this is left. */
  private void leave(long bytes) throws Exception {
    Path others = ramDisk.resolve("others");
    Files.write(others, new byte[0]); // what is cut is free though a child still has it open
    long taken = Files.getFileStore(ramDisk).getUsableSpace() - bytes;
    Files.write(others, new byte[(int) taken]);
    assertThat(Files.getFileStore(ramDisk).getUsableSpace()).isEqualTo(bytes);
  }

  /**
   * What is free when no child of this process has a file open any more: until it becomes another
   * program, a child of any test has all that is open here.
   */
  private void awaitFree(long bytes) {
    await()
        .untilAsserted(
            () -> assertThat(Files.getFileStore(ramDisk).getUsableSpace()).isEqualTo(bytes));
  }

  private static void assertNoSpace(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
  }

  private static EleyException given() {
    return new EleyException(ErrorCode.NO_SPACE, "test");
  }

  @Test
  void aChunkNeedsRoomForItselfAndTheFooterBeforeItIsRead() throws Exception {
    try (var store = open(CAPACITY)) {
      BlockWriter writer = store.create(block("/a", 0));
      leave(CHUNK + PAGE);
      writer.requireRoom(CHUNK);
      assertThat(store.squeezed()).isFalse();
      leave(CHUNK);
      assertNoSpace(() -> writer.requireRoom(CHUNK));
      assertThat(store.squeezed()).isTrue();
      assertThat(store.limitBytes()).isZero();
      writer.abort(given());
    }
  }

  @Test
  void whatWasEvictedForABlockMakesRoomForIt() throws Exception {
    try (var store = open(CAPACITY)) {
      for (int i = 0; i < 4; i++) {
        put(store, block("/a", i));
      }
      leave(0);
      BlockWriter writer = store.create(block("/b", 0));
      writer.requireRoom(CHUNK);
      for (int chunk = 0; chunk < 4; chunk++) {
        writeChunk(writer, block("/b", 0), chunk);
      }
      writer.commit();
      assertThat(store.squeezed()).isFalse();
      assertThat(store.blockCount()).isEqualTo(4);
    }
  }

  @Test
  void aBlockThatTheRamDiskRefusesShrinksTheBudget() throws Exception {
    try (var store = open(CAPACITY)) {
      put(store, block("/a", 0));
      BlockWriter writer = store.create(block("/b", 0));
      leave(0);
      assertNoSpace(() -> writeChunk(writer, block("/b", 0), 0));
      writer.abort(given());
      assertThat(store.limitBytes()).isEqualTo(FOOTPRINT).isEqualTo(store.usedBytes());
      assertThat(StoreDirectory.files(ramDisk.resolve("blocks/tmp"))).isEmpty();
    }
  }

  @Test
  void aBlockThatFindsNoRoomForItsFooterIsNotCommitted() throws Exception {
    try (var store = open(CAPACITY)) {
      BlockWriter writer = store.create(block("/b", 0));
      for (int chunk = 0; chunk < 4; chunk++) {
        writeChunk(writer, block("/b", 0), chunk);
      }
      leave(0);
      assertNoSpace(writer::commit);
      assertThat(store.squeezed()).isTrue();
      assertThat(store.inventory()).isEmpty();
      assertThat(store.usedBytes()).isZero();
      awaitFree(BLOCK);
    }
  }

  @Test
  void theBudgetGrowsByWhatIsFreeAndNotPromisedToABlockThatArrives() throws Exception {
    try (var store = open(CAPACITY)) {
      put(store, block("/a", 0));
      BlockWriter writer = store.create(block("/b", 0));
      leave(0);
      assertNoSpace(() -> writer.requireRoom(CHUNK));
      assertThat(store.limitBytes()).isEqualTo(FOOTPRINT);
      leave(FOOTPRINT + BLOCK - PAGE);
      store.checkRoom(0);
      assertThat(store.limitBytes()).as("less than a block is free").isEqualTo(FOOTPRINT);
      leave(FOOTPRINT + BLOCK);
      store.checkRoom(0);
      assertThat(store.limitBytes()).isEqualTo(2L * FOOTPRINT + BLOCK);
      assertThat(store.squeezed()).isTrue();
      Files.write(ramDisk.resolve("others"), new byte[0]);
      store.checkRoom(0);
      assertThat(store.limitBytes()).isEqualTo(CAPACITY);
      assertThat(store.squeezed()).isFalse();
      writer.abort(given());
    }
  }

  @Test
  void whatIsHeldFromBeforeARestartIsRoom() throws Exception {
    try (var store = open(CAPACITY)) {
      put(store, block("/a", 0));
      put(store, block("/a", 1));
    }
    leave(CAPACITY - 2L * FOOTPRINT);
    open(CAPACITY).close();
    leave(CAPACITY - 2L * FOOTPRINT - PAGE);
    assertNoSpace(() -> open(CAPACITY));
  }

  @Test
  void theRamOfADroppedBlockIsFreeOnceItsLastReaderHasClosedIt() throws Exception {
    try (var store = open(CAPACITY)) {
      long before = Files.getFileStore(ramDisk).getUsableSpace();
      put(store, block("/a", 0));
      var one = store.acquire(block("/a", 0)).orElseThrow();
      var other = store.acquire(block("/a", 0)).orElseThrow();
      assertThat(StoreFixture.read(one)).isEqualTo(StoreFixture.read(other));
      store.dropOtherVersions(block("/a", 0, 2).file());
      one.close();
      assertThat(Files.getFileStore(ramDisk).getUsableSpace()).isEqualTo(before - FOOTPRINT);
      other.close();
      awaitFree(before);
      BlockWriter given = store.create(block("/a", 1, 2));
      writeChunk(given, block("/a", 1, 2), 0);
      given.abort(given());
      awaitFree(before);
    }
  }

  @Test
  void aClosedStoreHoldsNoFileOpen() throws Exception {
    try (var store = open(CAPACITY)) {
      put(store, block("/a", 0));
      try (var held = store.acquire(block("/a", 0)).orElseThrow()) {
        assertThat(StoreFixture.read(held)).hasSize(BLOCK);
      }
      store.create(block("/b", 0)); // A fetch that nobody ends.
    }
    try (var channel = FileChannel.open(ramDisk.resolve("blocks/lock"), StandardOpenOption.WRITE)) {
      assertThat(channel.tryLock()).isNotNull();
    }
    await("nothing is open").until(() -> run("umount", ramDisk.toString()));
    mounted = false;
  }
}
