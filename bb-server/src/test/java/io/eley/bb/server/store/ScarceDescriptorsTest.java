package io.eley.bb.server.store;

import static io.eley.bb.server.store.StoreFixture.BLOCK;
import static io.eley.bb.server.store.StoreFixture.GEOMETRY;
import static io.eley.bb.server.store.StoreFixture.block;
import static io.eley.bb.server.store.StoreFixture.contents;
import static io.eley.bb.server.store.StoreFixture.put;
import static io.eley.bb.server.store.StoreFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that cannot be opened now: nothing is lost by it, and nothing taken for damaged or full.
 */
class ScarceDescriptorsTest {
  private static final long CAPACITY = 20L * BLOCK;

  private static final class Scarce extends FileOpener {
    boolean none;

    @Override
    FileChannel openForReading(Path file) throws IOException {
      require(file);
      return super.openForReading(file);
    }

    @Override
    FileChannel openNew(Path file) throws IOException {
      require(file);
      return super.openNew(file);
    }

    private void require(Path file) throws IOException {
      if (none) {
        throw new FileSystemException(file.toString(), null, "Too many open files");
      }
    }
  }

  private final Scarce opener = new Scarce();

  private BlockStore open(Path directory) throws EleyException {
    return BlockStore.open(
        StoreDirectory.open(directory),
        GEOMETRY,
        Budget.inThisJvm(CAPACITY),
        opener,
        StoreListener.NONE);
  }

  @Test
  void aBlockThatCannotBeOpenedStaysAndIsReadLater(@TempDir Path directory) throws Exception {
    BlockId id = block("/f", 0);
    try (var store = open(directory)) {
      put(store, id);
      opener.none = true;
      try (var held = store.acquire(id).orElseThrow()) {
        failsUnavailable(held::channel);
      }
      store.verifyAgain(id);
      failsUnavailable(() -> store.acquire(id));
      assertThat(store.inventory()).containsExactly(id);
      assertThat(store.damagedBlocks()).isZero();
      opener.none = false;
      try (var held = store.acquire(id).orElseThrow()) {
        assertThat(read(held)).isEqualTo(contents(id));
      }
    }
  }

  @Test
  void aBlockOfAnEarlierProcessIsVerifiedWhenThereIsADescriptorAgain(@TempDir Path directory)
      throws Exception {
    BlockId id = block("/f", 0);
    try (var store = open(directory)) {
      put(store, id);
    }
    try (var store = open(directory)) {
      opener.none = true;
      failsUnavailable(() -> store.acquire(id));
      opener.none = false;
      try (var held = store.acquire(id).orElseThrow()) {
        assertThat(read(held)).isEqualTo(contents(id));
      }
      assertThat(store.damagedBlocks()).isZero();
    }
  }

  @Test
  void aFileThatCannotBeMadeLeavesTheBudgetAloneAndIsNoticedBeforeTheOriginIsRead(
      @TempDir Path directory) throws Exception {
    BlockId id = block("/f", 0);
    try (var store = open(directory)) {
      opener.none = true;
      BlockWriter writer = store.create(id);
      failsUnavailable(() -> writer.requireRoom(1));
      failsUnavailable(() -> StoreFixture.writeChunk(writer, id, 0));
      writer.abort(new EleyException(ErrorCode.UNAVAILABLE, "given up"));
      assertThat(store.squeezed()).isFalse();
      assertThat(store.limitBytes()).isEqualTo(CAPACITY);
      opener.none = false;
      put(store, id);
      assertThat(store.inventory()).containsExactly(id);
    }
  }

  private static void failsUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining("Too many open files");
  }
}
