package io.eley.bb.server.store;

import static io.eley.bb.server.store.StoreFixture.BLOCK;
import static io.eley.bb.server.store.StoreFixture.CHUNK;
import static io.eley.bb.server.store.StoreFixture.FOOTPRINT;
import static io.eley.bb.server.store.StoreFixture.GEOMETRY;
import static io.eley.bb.server.store.StoreFixture.block;
import static io.eley.bb.server.store.StoreFixture.contents;
import static io.eley.bb.server.store.StoreFixture.put;
import static io.eley.bb.server.store.StoreFixture.read;
import static io.eley.bb.server.store.StoreFixture.writeChunk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreRestartTest {
  private static final long CAPACITY = 8L * FOOTPRINT;

  @TempDir Path directory;

  private BlockStore open() throws EleyException {
    return StoreFixture.open(directory, CAPACITY);
  }

  private Path fileOf(BlockId block) throws EleyException {
    try (var store = open();
        var held = store.acquire(block).orElseThrow()) {
      return held.file();
    }
  }

  private static void flip(Path file, long position) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var one = ByteBuffer.allocate(1);
      channel.read(one, position);
      channel.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), position);
    }
  }

  @Test
  void theInventoryIsRebuiltFromTheFilesAlone() throws Exception {
    NodeId name;
    try (var store = open()) {
      name = Objects.requireNonNull(store.nodeId());
      put(store, block("/a", 0));
      put(store, block("/ünïcode", 7));
      BlockWriter half = store.create(block("/a", 1));
      writeChunk(half, block("/a", 1), 0);
    }
    try (var store = open()) {
      assertThat(store.nodeId()).isEqualTo(name);
      assertThat(store.inventory()).containsExactlyInAnyOrder(block("/a", 0), block("/ünïcode", 7));
      assertThat(store.usedBytes()).isEqualTo(2L * FOOTPRINT);
      for (BlockId id : store.inventory()) {
        try (var held = store.acquire(id).orElseThrow()) {
          assertThat(held.complete()).isTrue();
          assertThat(read(held)).isEqualTo(contents(id));
        }
      }
    }
  }

  @Test
  void whatIsFoundAgainCountsAndADamagedOneGivesItsRoomBackAtOnce() throws Exception {
    try (var store = open()) {
      put(store, block("/a", 0));
      put(store, block("/a", 1));
    }
    flip(fileOf(block("/a", 1)), 5);
    try (var store = open()) {
      assertThat(store.blockCount()).isEqualTo(2);
      assertThat(store.acquire(block("/a", 1))).isEmpty();
      assertThat(store.blockCount()).isEqualTo(1);
      assertThat(store.usedBytes()).isEqualTo(FOOTPRINT);
    }
  }

  @Test
  void theFileOfAnOlderVersionIsRemovedAndNotOnlyForgotten() throws Exception {
    try (var store = open()) {
      put(store, block("/a", 0));
    }
    Path old = fileOf(block("/a", 0));
    Path aside = Files.copy(old, directory.resolve("aside"));
    try (var store = open()) {
      put(store, block("/a", 0, 2));
    }
    Files.move(aside, old);
    try (var store = open()) {
      assertThat(store.inventory()).containsExactly(block("/a", 0, 2));
      assertThat(old).doesNotExist();
    }
  }

  @Test
  void fileNamesAreNotUsedAgainByALaterRun() throws Exception {
    // Quick restarts: several begin in the same millisecond.
    for (int i = 0; i < 8; i++) {
      try (var store = open()) {
        put(store, block("/a", i));
      }
    }
    try (var store = open()) {
      assertThat(store.inventory()).hasSize(8);
    }
  }

  @Test
  void whatAKilledProcessLeftHalfWrittenIsRemoved() throws Exception {
    open().close();
    Files.writeString(directory.resolve("tmp").resolve("half"), "half a block");
    try (var store = open()) {
      assertThat(directory.resolve("tmp")).isEmptyDirectory();
      assertThat(store.usedBytes()).isZero();
    }
  }

  @Test
  void aDamagedBlockIsDroppedOnItsFirstReadAndReported() throws Exception {
    try (var store = open()) {
      put(store, block("/a", 0));
      put(store, block("/a", 1));
    }
    flip(fileOf(block("/a", 0)), 2 * CHUNK + 5);
    var dropped = new ArrayList<String>();
    var listener =
        new StoreListener() {
          @Override
          public void committed(BlockId block) {}

          @Override
          public void dropped(BlockId block, DropReason reason) {
            dropped.add(block.index() + " " + reason);
          }
        };
    try (var store = StoreFixture.open(directory, CAPACITY, listener)) {
      assertThat(store.inventory()).hasSize(2);
      assertThat(store.acquire(block("/a", 0))).isEmpty();
      assertThat(dropped).containsExactly("0 DAMAGED");
      assertThat(store.inventory()).containsExactly(block("/a", 1));
      assertThat(store.usedBytes()).isEqualTo(FOOTPRINT);
      assertThat(directory.resolve("blocks")).isDirectoryContaining(f -> true);
      assertThat(StoreDirectory.files(directory.resolve("blocks"))).hasSize(1);
      store.acquire(block("/a", 1)).orElseThrow().close();
      put(store, block("/a", 0));
    }
  }

  @Test
  void aBlockIsVerifiedOnceAfterARestartAndNotAgain() throws Exception {
    try (var store = open()) {
      put(store, block("/a", 0));
      Path file;
      try (var held = store.acquire(block("/a", 0)).orElseThrow()) {
        file = held.file();
      }
      // What this process wrote itself is not read back.
      flip(file, 0);
      store.acquire(block("/a", 0)).orElseThrow().close();
      flip(file, 0);
    }
    try (var store = open()) {
      Path file;
      try (var held = store.acquire(block("/a", 0)).orElseThrow()) {
        file = held.file();
      }
      flip(file, 0);
      assertThat(store.acquire(block("/a", 0))).isPresent();
    }
  }

  @Test
  void filesThatAreNoBlocksOfThisGeometryAreDropped() throws Exception {
    try (var store = open()) {
      for (int i = 0; i < 5; i++) {
        put(store, block("/a", i));
      }
    }
    flip(fileOf(block("/a", 0)), BLOCK + 8); // The footer's body.
    Path magic = fileOf(block("/a", 1));
    flip(magic, Files.size(magic) - 1);
    try (var channel = FileChannel.open(fileOf(block("/a", 2)), StandardOpenOption.WRITE)) {
      channel.truncate(CHUNK);
    }
    Files.writeString(directory.resolve("blocks").resolve("empty"), "");
    Files.copy(fileOf(block("/a", 3)), directory.resolve("blocks").resolve("double"));
    try (var store = open()) {
      assertThat(store.inventory()).containsExactlyInAnyOrder(block("/a", 3), block("/a", 4));
      assertThat(StoreDirectory.files(directory.resolve("blocks"))).hasSize(2);
      assertThat(store.usedBytes()).isEqualTo(2L * FOOTPRINT);
    }
    var other = new BlockGeometry(8 * CHUNK, CHUNK);
    try (var store =
        BlockStore.open(new StoreOptions(directory, other, CAPACITY), StoreListener.NONE)) {
      assertThat(store.inventory()).isEmpty();
      assertThat(store.usedBytes()).isZero();
      assertThat(directory.resolve("blocks")).isEmptyDirectory();
    }
  }

  @Test
  void aFooterOfEachDamageIsRefusedOrReadsTheSame() throws Exception {
    try (var store = open()) {
      put(store, block("/a", 0));
    }
    Path file = fileOf(block("/a", 0));
    BlockFooter whole;
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      whole = BlockFooter.readFrom(channel);
    }
    assertThat(whole.block()).isEqualTo(block("/a", 0));
    assertThat(whole.geometry()).isEqualTo(GEOMETRY);
    for (long position = BLOCK; position < Files.size(file); position++) {
      flip(file, position);
      try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
        assertThatThrownBy(() -> BlockFooter.readFrom(channel)).isInstanceOf(IOException.class);
      }
      flip(file, position);
    }
  }

  @Test
  void onlyTheNewestVersionIsKept() throws Exception {
    try (var store = open()) {
      put(store, block("/a", 0, 2));
      put(store, block("/a", 1, 1));
      assertThat(store.inventory()).hasSize(2);
    }
    try (var store = open()) {
      assertThat(store.inventory()).containsExactly(block("/a", 0, 2));
    }
  }

  @Test
  void aSmallerCapacityKeepsTheNewestBlocksInTheOrderTheyWereWritten() throws Exception {
    try (var store = open()) {
      for (int i = 0; i < 4; i++) {
        put(store, block("/a", i));
      }
    }
    for (int i = 0; i < 4; i++) {
      Files.setLastModifiedTime(
          fileOf(block("/a", i)), FileTime.from(1000 + (i * 7) % 4, TimeUnit.SECONDS));
    }
    // Written in the order 0, 3, 2, 1.
    try (var store = StoreFixture.open(directory, 2L * FOOTPRINT)) {
      assertThat(store.inventory()).containsExactlyInAnyOrder(block("/a", 1), block("/a", 2));
      assertThat(StoreDirectory.files(directory.resolve("blocks")))
          .as("what does not fit takes no RAM")
          .hasSize(2);
      put(store, block("/b", 0));
      assertThat(store.inventory()).containsExactlyInAnyOrder(block("/a", 1), block("/b", 0));
    }
  }

  @Test
  void aSecondNodeOnTheDirectoryIsRefusedInOneLine() throws Exception {
    try (var store = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOfSatisfying(
              EleyException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
                assertThat(e.getMessage()).contains(directory.toString()).doesNotContain("\n");
              });
      put(store, block("/a", 0));
    }
    open().close();
  }

  @Test
  void aSecondProcessIsRefused() throws Exception {
    try (var held = open()) {
      assertThat(held.usedBytes()).isZero();
      // A second try of this process must not cost it the lock.
      assertThatThrownBy(this::open).hasMessageContaining("used by another node");
      var process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  OpenStoreMain.class.getName(),
                  directory.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(said).contains("UNAVAILABLE").contains("used by another node");
      assertThat(process.exitValue()).isEqualTo(1);
    }
  }

  @Test
  void aCapacityTheFileSystemHasNoRoomForIsRefusedInOneLine() {
    assertThatThrownBy(() -> StoreFixture.open(directory, 1L << 60))
        .isInstanceOfSatisfying(
            EleyException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE);
              assertThat(e.getMessage()).contains("has room for").doesNotContain("\n");
            });
    // And the directory is free again.
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> open().close())).isNull();
  }

  @Test
  void aDirectoryThatHoldsOtherThingsOrIsEverybodysIsLeftAlone() throws Exception {
    Path full = Files.createDirectory(directory.resolve("full"));
    Files.writeString(full.resolve("thesis.tex"), "years of work");
    Path shared = Files.createDirectory(directory.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (Path other : List.of(full, shared)) {
      assertThatThrownBy(() -> StoreDirectory.open(other))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
    }
    assertThat(full.resolve("thesis.tex")).hasContent("years of work");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared)))
        .isEqualTo("rwxrwxrwx");
  }

  @Test
  void aDirectoryThatOthersCouldExchangeOrWriteToIsNotUsed() throws Exception {
    Path parent = Files.createDirectory(directory.resolve("parent"));
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertRefused(parent.resolve("ram"));
    assertThat(parent).isEmptyDirectory();
    Path ours = directory.resolve("ours");
    StoreDirectory.open(ours).close();
    Files.setPosixFilePermissions(ours, PosixFilePermissions.fromString("rwxrwxr-x"));
    assertRefused(ours);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ours)))
        .isEqualTo("rwxrwxr-x");
  }

  private static void assertRefused(Path ramDisk) {
    assertThatThrownBy(() -> StoreDirectory.open(ramDisk))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
  }

  @Test
  void aDirectoryIsMadeForItsOwnerAlone() throws Exception {
    Path made = directory.resolve("made");
    StoreDirectory.open(made).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwx------");
  }

  @Test
  void aDirectoryThatCannotBeUsedIsNotKeptLocked() throws Exception {
    Path tmp = directory.resolve("tmp");
    open().close();
    Files.delete(tmp);
    Files.writeString(tmp, "not a directory");
    assertRefused(directory);
    Files.delete(tmp);
    open().close();
    assertThat(tmp).isEmptyDirectory();
  }

  @Test
  void anEmptyNodeIdIsMadeAnew() throws Exception {
    open().close();
    Files.writeString(directory.resolve("node.id"), "");
    NodeId made;
    try (var opened = StoreDirectory.open(directory)) {
      made = opened.nodeId();
    }
    try (var opened = StoreDirectory.open(directory)) {
      assertThat(opened.nodeId()).isEqualTo(made);
    }
  }

  @Test
  void aDirectoryWhoseParentIsGoneIsNotMade() {
    Path gone = directory.resolve("gone/blocks");
    assertThatThrownBy(() -> StoreDirectory.open(gone)).hasMessageContaining("NoSuchFile");
    assertThat(gone.getParent()).doesNotExist();
  }
}
