package io.eley.bb.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.error.EleyException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks that are several pages long, as they are in a deployment: each page has its checksum. */
class PagesOfAChunkTest {
  private static final int CHUNK = 64 << 10;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(4 * CHUNK, CHUNK);
  private static final int PAGE = GEOMETRY.pageSize();

  /** A whole block, and one that ends within the second page of its second chunk. */
  private static final FileVersion FILE =
      new FileVersion("/f", 4 * CHUNK + CHUNK + PAGE + PAGE / 2, 1);

  private static final BlockId WHOLE = new BlockId(FILE, 0);
  private static final BlockId LAST = new BlockId(FILE, 1);

  @TempDir Path directory;
  private final byte[] content = new byte[(int) FILE.length()];

  @BeforeEach
  void fill() {
    new Random(11).nextBytes(content);
  }

  private BlockStore open() throws EleyException {
    return BlockStore.open(new StoreOptions(directory, GEOMETRY, 1 << 20), StoreListener.NONE);
  }

  private static int start(BlockId block) {
    return (int) GEOMETRY.range(block).offset();
  }

  /** In an order that is not theirs, out of the middle of a buffer. */
  private void put(BlockStore store, BlockId block, int... chunks) throws EleyException {
    BlockWriter writer = store.create(block);
    int missing = GEOMETRY.pageCount(writer.length());
    for (int chunk : chunks) {
      assertThat(writer.missing()).isEqualTo(missing);
      assertThat(writer.full()).isFalse();
      int length = Math.min(CHUNK, writer.length() - chunk * CHUNK);
      writer.write(chunk * CHUNK, ByteBuffer.wrap(content, start(block) + chunk * CHUNK, length));
      missing -= GEOMETRY.pageCount(length);
    }
    assertThat(writer.full()).isTrue();
    writer.commit();
  }

  private void putBoth(BlockStore store) throws EleyException {
    put(store, WHOLE, 2, 0, 3, 1);
    put(store, LAST, 1, 0);
  }

  private List<Integer> sums(BlockId block) {
    var sums = new ArrayList<Integer>();
    int end = start(block) + GEOMETRY.length(block);
    for (int at = start(block); at < end; at += PAGE) {
      var crc = new CRC32C();
      crc.update(content, at, Math.min(PAGE, end - at));
      sums.add((int) crc.getValue());
    }
    return sums;
  }

  @Test
  void checksumsAreThoseOfThePagesAlsoAfterARestart() throws Exception {
    try (var store = open()) {
      putBoth(store);
      assertSums(store);
    }
    try (var store = open()) {
      assertSums(store);
    }
  }

  private void assertSums(BlockStore store) throws EleyException {
    for (BlockId id : List.of(WHOLE, LAST)) {
      try (var held = store.acquire(id).orElseThrow()) {
        List<Integer> expected = sums(id);
        assertThat(held.checksums(0, held.length())).isEqualTo(expected);
        assertThat(held.checksums(PAGE, CHUNK - PAGE)).isEqualTo(expected.subList(1, 4));
        int lastPage = (expected.size() - 1) * PAGE;
        assertThat(held.checksums(lastPage, held.length() - lastPage))
            .isEqualTo(expected.subList(expected.size() - 1, expected.size()));
      }
    }
  }

  @Test
  void damageInAnyPageIsFoundAfterARestart() throws Exception {
    for (int page = 0; page < sums(LAST).size(); page++) {
      Path file;
      try (var store = open()) {
        putBothAnew(store);
        try (var held = store.acquire(LAST).orElseThrow()) {
          file = held.file();
        }
      }
      int position = page * PAGE + PAGE / 3;
      try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        byte wrong = (byte) ~content[start(LAST) + position];
        channel.write(ByteBuffer.wrap(new byte[] {wrong}), position);
      }
      try (var store = open()) {
        assertThat(store.acquire(LAST)).as("page %s", page).isEmpty();
        store.acquire(WHOLE).orElseThrow().close();
        assertThat(store.damagedBlocks()).isEqualTo(1);
      }
    }
  }

  private void putBothAnew(BlockStore store) throws EleyException {
    if (store.inventory().contains(WHOLE)) {
      put(store, LAST, 1, 0);
    } else {
      putBoth(store);
    }
  }
}
